// Fails when three.js does not carry the tips of a skinned GLB where the engine has them.
//   node tests/interop/follow_tips.mjs TOLERANCE FOLDER...
// A folder holds plant.glb and tips.json: {"frames": [{"time": t, "tips": [[x, y, z], …]}]}. The
// vertex nearest to a tip in the first frame must stay with it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
globalThis.self = globalThis;
const { AnimationMixer, LoopOnce, Vector3 } = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');

const [tolerance, ...folders] = process.argv.slice(2);
let bad = 0;
for (const folder of folders) {
  const bytes = await readFile(path.join(folder, 'plant.glb'));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new GLTFLoader().parseAsync(buffer, '');
  const meshes = [];
  gltf.scene.traverse((object) => { if (object.isSkinnedMesh) meshes.push(object); });
  const mixer = new AnimationMixer(gltf.scene);
  if (gltf.animations.length > 0) {
    // A clip that repeats shows its start at the time of its end.
    const action = mixer.clipAction(gltf.animations[0]).setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
  }
  const { frames } = JSON.parse(await readFile(path.join(folder, 'tips.json')));
  const mesh = meshes[0];
  const place = (i) => mesh.getVertexPosition(i, new Vector3());
  const away = (i, [x, y, z]) => place(i).distanceTo(new Vector3(x, y, z));
  let nearest = null, worst = 0;
  for (const { time, tips } of frames) {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    mesh.skeleton.update();
    if (nearest === null) {
      const count = mesh.geometry.getAttribute('position').count;
      const places = Array.from({ length: count }, (_, i) => place(i));
      nearest = tips.map(([x, y, z]) => {
        const tip = new Vector3(x, y, z);
        let best = 0;
        places.forEach((p, i) => { if (p.distanceTo(tip) < places[best].distanceTo(tip)) best = i; });
        return best;
      });
    }
    tips.forEach((tip, k) => { worst = Math.max(worst, away(nearest[k], tip)); });
  }
  console.log(`${path.basename(folder)}: ${nearest.length} tips off by at most ${worst.toExponential(2)} m`);
  if (!(worst <= Number(tolerance))) bad += 1;
}
console.log(`${folders.length - bad} passed, ${bad} failed`);
process.exit(bad > 0 ? 1 : 0);
