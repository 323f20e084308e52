import { expect, it } from 'vitest';
import { type ChatModel, privacyOf } from './chat-model';

const model = (id: string, supportsTeeAttestation: boolean) =>
  ({ id, capabilities: { supportsTeeAttestation } }) as unknown as ChatModel;
const ENCLAVE = model('enclave', true);
const SECOND = model('second', true);
const PLAIN = model('plain', false);
const only = (id: string) => (asked: ChatModel) => Promise.resolve(asked.id === id);
const none = () => Promise.resolve(false);
const all = () => Promise.resolve(true);

it.each<[string, ChatModel[], boolean, (model: ChatModel) => Promise<boolean>, string | null]>([
  ['a verified enclave', [ENCLAVE], false, all, 'attested'],
  ['an encrypted chat with one', [ENCLAVE], true, all, 'encrypted'],
  ['an enclave that is not verified', [ENCLAVE], true, none, null],
  ['a plain model', [PLAIN], false, all, null],
  ['a plain model behind an enclave', [ENCLAVE, PLAIN], true, all, null],
  ['an unverified enclave behind a verified one', [ENCLAVE, SECOND], true, only('enclave'), null],
  ['no model', [], true, all, null],
])('the privacy of %s', async (_name, models, isEncrypted, isAttested, privacy) => {
  expect(await privacyOf(models, isEncrypted, isAttested)).toBe(privacy);
});
