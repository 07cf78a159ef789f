// Grows a plant of the gallery in a WebAssembly module that tools/wasm has built, and steps it in wind:
//   node --no-experimental-fetch tests/wasm/step_oak.cjs build-wasm/thigmo.js gallery/plants/oak.lsys
// Structures of thigmo/c.h lie in the module's memory, with pointers and sizes of four bytes.
const fs = require('fs');
const path = require('path');

(async () => {
  const module = await require(path.resolve(process.argv[2]))();
  const memory = () => new DataView(module.HEAPU8.buffer);
  const must = (code) => {
    if (code !== 0) throw new Error(module.UTF8ToString(module._thigmo_error_message()));
  };
  const text = (words) => {
    const size = Buffer.byteLength(words) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(words, at, size);
    return at;
  };

  const out = module._malloc(64);
  must(module._thigmo_world_create(out));
  const world = memory().getUint32(out, true);
  const grammar = module._malloc(72);
  module._thigmo_default_grammar(grammar);
  memory().setUint32(grammar + 4, text(fs.readFileSync(process.argv[3], 'utf8')), true);
  memory().setUint32(grammar + 32, text('oak'), true);
  const plant = module._malloc(8);
  must(module._thigmo_world_add_grammar(world, grammar, plant));
  const wind = module._malloc(64);
  module._thigmo_default_wind(wind);
  must(module._thigmo_world_set_wind(world, wind));

  must(module._thigmo_world_transforms_float(world, plant, 2, 0, 0, out));
  const numbers = memory().getUint32(out, true);
  const matrices = module._malloc(4 * numbers);
  const steps = 60;
  const began = process.hrtime.bigint();
  for (let step = 0; step < steps; ++step) must(module._thigmo_world_step(world, 1 / 60, 1));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  must(module._thigmo_world_transforms_float(world, plant, 2, matrices, numbers, 0));
  const last = new Float32Array(module.HEAPU8.buffer, matrices, numbers).slice(-4, -1);
  if (!last.every(Number.isFinite)) throw new Error('a place is no number');

  // A freed world is stale here, too.
  must(module._thigmo_world_free(world));
  if (module._thigmo_world_time(world, out) !== 3) throw new Error('a freed world still answers');
  console.log(`${numbers / 16} segments, ${((1e3 * seconds) / steps).toFixed(2)} ms a step, ` +
              `the last one at ${Array.from(last, (x) => x.toFixed(3)).join(', ')}`);
})().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
