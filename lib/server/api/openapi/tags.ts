import type { Tag } from '../../http/operation';

/** Descriptions of the API's groups, in order. */
export const TAGS: Readonly<Record<Tag, string>> = {
  RPC: 'Blockchain JSON-RPC, charged by the call.',
  Chat: 'Chats in the form of the OpenAI API, plain or end-to-end encrypted to an attested enclave.',
  Speech: 'Text to audio.',
  Transcriptions: 'Audio to text.',
  Embeddings: 'Text to vectors, for finding similar texts.',
  Images: 'Text to pictures.',
  Video: 'Text to video, queued and fetched later.',
  Models: 'Models with capabilities and prices.',
  Attestation: 'Proof of the enclaves in which private models run.',
  'API keys': 'Keys that a wallet with a stake mints, lists and revokes.',
  Billing: 'Balances and charges of a caller.',
  'Prepaid balance': 'USDC that a wallet pays in over x402 and spends call by call.',
};
