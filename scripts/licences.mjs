import './parts/node-version.mjs';
import fs from 'node:fs';
import { licensedPackages, renderLicences, undecided } from './parts/package-licences.mjs';
import { inRepository } from './parts/repository.mjs';

// Writes THIRD-PARTY-NOTICES.md. Fails for an undecided licence.
const packages = licensedPackages(JSON.parse(fs.readFileSync(inRepository('package-lock.json'), 'utf8')));
fs.writeFileSync(inRepository('THIRD-PARTY-NOTICES.md'), renderLicences(packages));
const open = undecided(packages);
for (const { name, version, licence } of open)
  console.error(
    `${name} ${version} has the licence ${licence}. Replace the package, or accept the licence by an exception in scripts/parts/package-licences.mjs.`,
  );
process.exitCode = open.length > 0 ? 1 : 0;
