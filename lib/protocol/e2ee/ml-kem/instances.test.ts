import { expect, it } from 'vitest';
import { Malformed } from '../../tee/malformed';
import { isInstanceId, readInstances } from './instances';

const instance = (change: object = {}) => ({
  instance_id: '8573aac9-5119',
  e2e_pubkey: 'yas9I3eR',
  nonces: ['dFiDhWV7Aq7mqViACvBt2b9YZZHSBKBZ', '_-a'],
  ...change,
});

it('reads instances with their keys and nonces, and how long these are good', () => {
  expect(readInstances({ instances: [instance()], nonce_expires_in: 60 })).toEqual({
    instances: [{ id: '8573aac9-5119', publicKey: 'yas9I3eR', nonces: ['dFiDhWV7Aq7mqViACvBt2b9YZZHSBKBZ', '_-a'] }],
    lifetimeMs: 60_000,
  });
});

it('leaves out instances with an invalid key, and invalid nonces', () => {
  const { instances } = readInstances({
    instances: [
      instance({ e2e_pubkey: null }),
      instance({ instance_id: 'a\r\nb' }),
      instance({ e2e_pubkey: '*' }),
      instance({ nonces: undefined }),
      instance({ nonces: ['a b', '', 'good'] }),
    ],
  });
  expect(instances.map(({ nonces }) => nonces)).toEqual([[], ['good']]);
});

it('takes nonces for good for a minute at most where the list does not say', () => {
  for (const seconds of [undefined, null, 0, -1, 1e9, '60', NaN])
    expect(readInstances({ instances: [], nonce_expires_in: seconds }).lifetimeMs).toBe(55_000);
});

it.each([
  null,
  [],
  {},
  { instances: {} },
  { instances: [null] },
  { instances: Array(65).fill(instance()) },
  { instances: [instance({ nonces: Array(257).fill('a') })] },
  { instances: [instance({ nonces: [1] })] },
])('refuses %j', (json) => {
  expect(() => readInstances(json)).toThrow(Malformed);
});

it('knows what can be the name of an instance', () => {
  expect(['instance-1', '8573aac9-5119-48a5-ae5d-8332fb8bad0f'].every(isInstanceId)).toBe(true);
  expect(['', 'a b', 'a\n', 'ä', 'a'.repeat(201)].some(isInstanceId)).toBe(false);
});
