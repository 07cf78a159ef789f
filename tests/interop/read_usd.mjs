// Fails when tinyusdz cannot read a USD file.
//   node tests/interop/read_usd.mjs FILE...
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node read_usd.mjs FILE...');
  process.exit(2);
}
// Its WebAssembly is built for browsers only: show it a window and hide that this is node.
const folder = path.dirname(createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.js'));
globalThis.window = globalThis;
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: undefined } });
const { default: initialise } = await import(pathToFileURL(path.join(folder, 'tinyusdz.js')));
const wasm = await readFile(path.join(folder, 'tinyusdz.wasm'));
const usd = await initialise({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => done(instance, module));
    return {};
  },
});
let bad = 0;
for (const file of files) {
  const loader = new usd.TinyUSDZLoaderNative();
  const read = loader.loadFromBinary(new Uint8Array(await readFile(file)), path.basename(file));
  console.log(`${file}: ${read ? `read, ${loader.numMeshes()} meshes` : `not read: ${loader.error()}`}`);
  if (!read) bad += 1;
}
process.exit(bad > 0 ? 1 : 0);
