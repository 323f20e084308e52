import fs from 'node:fs/promises';
import path from 'node:path';

import { abisFile, abisText, artifactFile, artifactText, compileContracts } from './parts/compile-contracts.mjs';

// Compiles contracts/*.sol into contracts/artifacts and lib/protocol/contract-abis.ts.
const artifacts = await compileContracts();
for (const [name, artifact] of Object.entries(artifacts)) {
  await fs.mkdir(path.dirname(artifactFile(name)), { recursive: true });
  await fs.writeFile(artifactFile(name), artifactText(artifact));
}
await fs.writeFile(abisFile, abisText(artifacts));
