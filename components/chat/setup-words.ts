import type { SignatureCheck } from '@/lib/client/private-chat';

export const chatSetupWords = {
  systemPrompt: 'System prompt',
  systemPromptHint: 'Who the model should be, and how it should answer.',
  systemPromptWhat: (isEncrypted: boolean) =>
    `Sent before every question of this conversation${isEncrypted ? ', encrypted like them' : ''}. The gateway adds none of its own.`,
  bounds: 'Sampling and length',
  temperature: 'Temperature',
  temperatureHint: '0 to 2',
  temperatureFault: 'A number from 0 to 2.',
  maxTokens: 'Maximum tokens',
  maxTokensHint: 'of an answer',
  maxTokensFault: 'A whole number from 1 to 1,000,000.',
  modelsOwn: 'the model’s own',
  schema: 'JSON schema of the answers',
  addSchema: 'Add a schema',
  formatSchema: 'Format the schema',
  removeSchema: 'Remove the schema',
  schemaWhat: 'With a schema, every answer is a JSON document of exactly that form, and is checked against it here.',
  noSchemas: 'This model does not support schemas; choose one with the badge “schema”.',
  editor: 'JSON schema',
  strict: (isEncrypted: boolean) =>
    `Strict: every property is required, and no others may appear; allow null to make one optional.${isEncrypted ? ' The schema itself is not encrypted: put nothing confidential into its names and descriptions.' : ''}`,
  faults: (count: number) =>
    count === 1
      ? 'The schema has an error; nothing is sent with it.'
      : `The schema has ${count} errors; nothing is sent with it.`,
  faultList: 'Errors in the schema',
  none: 'No schema yet: answers are plain text.',
  pending: 'Checking the schema…',
  valid: 'A strict schema: the gateway accepts it.',
} as const;

export const chatCodeWords = {
  noModel: 'Code appears when a model is chosen.',
  noCurlTitle: 'No curl here: encrypting, verifying and decrypting take a program.',
  noCurl:
    'The command and the client are this page’s own, without the page: nothing that they run comes from the gateway.',
} as const;

export const chatWireWords = {
  label: 'What crossed the wire',
  gone: 'Gone: what crosses the wire is kept only while this page is open.',
  sent: 'Sent',
  received: 'Received',
  incomplete: 'The answer is not complete: what had come of it was not kept as bytes.',
  ciphertext: 'ciphertext',
  plainText: 'plain text',
  copy: (title: string) => `Copy what was ${title.toLowerCase()}`,
  bytes: (title: string) => `${title}, byte for byte`,
  inHex: ', in hex',
  copyForAll: '… copy it to see all',
  hash: (sha256: string) => `sha256 ${sha256}`,
  signature: 'Signature of the answer',
  outcome: 'Outcome',
  outcomes: {
    verified: 'Verified',
    'attested-after': 'Signed by a key attested afterwards',
    sealed: 'From the attested enclave, by its encryption',
    'sealed-pieces': 'Each piece from the attested enclave, by its encryption',
    invalid: 'Does not hold',
    missing: 'Not signed',
  } satisfies Record<SignatureCheck['outcome'], string>,
  signedText: 'Signed text',
  signatureItself: 'Signature',
  signer: 'Signer, as found here',
  attestedKey: 'Attested key',
} as const;
