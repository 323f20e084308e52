import { execFileSync } from 'node:child_process';

/** Bundles a program into `dist/` from the present sources, for what starts it from there. @param name as in scripts/bundle.mjs */
export function bundleProgram(name: string): void {
  execFileSync(process.execPath, ['-e', `import('./scripts/bundle.mjs').then(({ bundle }) => bundle([${JSON.stringify(name)}]))`]);
}
