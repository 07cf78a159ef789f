// Fails when the Khronos glTF validator finds an error or a warning in a file.
//   node tests/interop/validate_gltf.mjs FILE...
import { readFile } from 'node:fs/promises';
import validator from 'gltf-validator';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node validate_gltf.mjs FILE...');
  process.exit(2);
}
let bad = 0;
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { uri: file });
  const { numErrors, numWarnings, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ` +
    `${report.info.animationCount} animations, ${report.info.totalVertexCount} vertices`);
  for (const m of messages.filter((m) => m.severity < 2)) {
    console.log(`  ${m.code} at ${m.pointer}: ${m.message}`);
  }
  if (numErrors + numWarnings > 0) bad += 1;
}
process.exit(bad > 0 ? 1 : 0);
