import * as constants from 'next/dist/lib/constants';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as constantsStub from './constants-stub';

const CLIENT = path.resolve('node_modules/next/dist/client');
const ALIASED =
  /require\("([^"]*(?:\/lib\/constants|\/polyfill-module|\/server-action-reducer|\/builtin\/global-error))"\)/g;

/** Scripts of Next's App Router in browsers, without the replaced one. */
const scripts = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(?:components|react-client-callbacks|app-[^/]+\.js$)/.test(file) && file.endsWith('.js'))
  .filter((file) => !file.endsWith('server-action-reducer.js'))
  .map((file) => ({ file, text: readFileSync(path.join(CLIENT, file), 'utf8') }));

describe('the parts of Next that the console replaces', () => {
  it('are the parts that Next imports, by the same names', () => {
    const names = new Set(scripts.flatMap(({ text }) => [...text.matchAll(ALIASED)].map(([, name]) => name)));
    const config = readFileSync('next.config.mjs', 'utf8');
    const replaced = [...config.matchAll(/^ +'(\.[^']+)': \{ browser: '\.\//gm)].map(([, name]) => name);
    expect([...names].sort()).toEqual(replaced.sort());
  });

  it('leave every constant that Next reads in the browser as it is', () => {
    const read = scripts
      .filter(({ text }) => /require\("[^"]*\/lib\/constants"\)/.test(text))
      .flatMap(({ text }) => [...text.matchAll(/\b_constants\.(\w+)/g)].map(([, name]) => name));
    expect([...new Set(read)]).toEqual(Object.keys(constantsStub));
    expect(constantsStub.NEXT_NAV_DEPLOYMENT_ID_HEADER).toBe(
      (constants as Record<string, unknown>).NEXT_NAV_DEPLOYMENT_ID_HEADER,
    );
  });

  it('include nothing for server actions, because the console has none', () => {
    const sources = ['app', 'components', 'lib/browser'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
        .map((file) => readFileSync(path.join(folder, file), 'utf8')),
    );
    expect(sources.filter((text) => /^\s*['"]use server['"]/m.test(text))).toEqual([]);
  });
});
