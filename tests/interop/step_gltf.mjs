// Fails when three.js does not move a skinned GLB as the engine does.
//   node tests/interop/step_gltf.mjs FILE.glb EXPECTED.json TOLERANCE
// EXPECTED: {"frames": [{"time": t, "positions": [[x, y, z], …]}]}, one position a vertex.
import { readFile } from 'node:fs/promises';
globalThis.self = globalThis;
const { AnimationMixer, Vector3 } = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const [file, expectedFile, tolerance] = process.argv.slice(2);
const bytes = await readFile(file);
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new GLTFLoader().parseAsync(buffer, '');
const meshes = [];
gltf.scene.traverse((object) => { if (object.isSkinnedMesh) meshes.push(object); });
const mixer = new AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();

let worst = 0;
for (const { time, positions } of JSON.parse(await readFile(expectedFile)).frames) {
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  // All parts of the mesh share the vertices, so the first one holds them all.
  const mesh = meshes[0];
  mesh.skeleton.update();
  const vertex = new Vector3();
  positions.forEach(([x, y, z], i) => {
    mesh.getVertexPosition(i, vertex);
    worst = Math.max(worst, Math.hypot(vertex.x - x, vertex.y - y, vertex.z - z));
  });
}
console.log(`three.js is off by at most ${worst} m`);
process.exit(worst <= Number(tolerance) ? 0 : 1);
