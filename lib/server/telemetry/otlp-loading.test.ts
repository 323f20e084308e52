import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

it('only one file loads the SDK of OpenTelemetry, and only when it is called', () => {
  const inFolders = ['lib', 'app', 'components', 'packages'].flatMap((folder) =>
    readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const sources = [...inFolders, ...readdirSync(ROOT)].filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
  );
  const naming = sources.filter((file) => readFileSync(resolve(ROOT, file), 'utf8').includes('@opentelemetry/'));
  expect(naming).toEqual(['lib/server/telemetry/otlp-tracing.ts']);
  const imports = readFileSync(resolve(ROOT, naming[0] as string), 'utf8')
    .split('\n')
    .filter((line) => line.includes('@opentelemetry/'));
  for (const line of imports) expect(line).toMatch(/^import type |^\s+import\('/);
});
