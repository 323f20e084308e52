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
 * The path of anvil's executable. The package's own `bin.mjs` is a Node process that stays beside
 * the chain for as long as it runs, so it is bypassed: this finds the platform's package as it does,
 * then the places where its install script puts and looks for a binary that npm left out.
 *
 * @throws {Error} in a sentence, where the platform has no build or the package is not installed whole
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
    // Package managers that nest dependencies make the platform's package visible only from anvil's own.
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
