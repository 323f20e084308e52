import { afterEach, expect, it, vi } from 'vitest';
import { loadCode } from './load-code';

afterEach(() => vi.unstubAllGlobals());

it('hands over what was loaded', async () => {
  await expect(loadCode(() => Promise.resolve(7))).resolves.toBe(7);
});

it('says that the gateway does not answer where the code does not come, not how its file is called', async () => {
  vi.stubGlobal('window', { location: { origin: 'http://gateway.example' } });
  const failure = new Error('Failed to load chunk /_next/static/chunks/x.js');
  await expect(loadCode(() => Promise.reject(failure))).rejects.toMatchObject({
    name: 'UnreachableError',
    aborted: false,
    cause: failure,
    message: 'The gateway at http://gateway.example does not answer.',
  });
});
