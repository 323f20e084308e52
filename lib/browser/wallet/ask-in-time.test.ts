import { expect, it } from 'vitest';
import { askInTime } from './ask-wallet';

it('a wallet is waited for only so long', async () => {
  await expect(askInTime(Promise.resolve('signed'), 20)).resolves.toBe('signed');
  await expect(askInTime(Promise.reject(new Error('no')), 20)).rejects.toThrow('no');
  await expect(askInTime(new Promise(() => undefined), 20)).rejects.toMatchObject({ kind: 'slow' });
});
