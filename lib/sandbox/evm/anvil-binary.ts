import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const PLATFORMS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-amd64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-amd64',
  'win32-x64': 'win32-amd64',
};

/**
 * Returns the path of anvil's executable: in the platform's package, or where the install script stores a download. The
 * package's `bin.mjs` would keep its own Node process running next to the chain.
 *
 * @throws {Error} if anvil has no build for the platform or the package is incomplete
 */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string {
  const build = PLATFORMS[`${platform}-${arch}`];
  if (build === undefined)
    throw new Error(
      `There is no build of anvil for ${platform} on ${arch}, so this machine has no EVM stand-in chains.`,
    );
  const require = createRequire(import.meta.url);
  const name = platform === 'win32' ? 'anvil.exe' : 'anvil';
  const home = resolved(require, '@foundry-rs/anvil/package.json');
  const candidates = [
    // With nested dependencies, only anvil's own package can resolve the platform's package.
    home && resolved(createRequire(home), `@foundry-rs/anvil-${build}/bin/${name}`),
    home && path.join(path.dirname(home), name),
    home && path.join(path.dirname(home), '..', 'dist', name),
  ];
  const found = candidates.find((file) => file !== undefined && fs.existsSync(file));
  if (found === undefined)
    throw new Error(`The package @foundry-rs/anvil-${build} is not installed. Run npm install again.`);
  return found;
}

function resolved(require: NodeJS.Require, id: string): string | undefined {
  try {
    return require.resolve(id);
  } catch {
    return undefined;
  }
}
