import { Embeddings } from '../../embeddings/embeddings';
import { createEmbeddings } from '../embeddings';
import type { Capability } from './capability';
import type { Ground } from './ground';

/** Sells embeddings. */
export function openEmbeddings({ config, log, memory }: Ground) {
  const embeddings = new Embeddings(config.embeddings, log, memory);
  return {
    models: embeddings.models,
    endpoints: ({ paidCalls }) => [createEmbeddings({ paidCalls, embeddings })],
    close: () => embeddings.close(),
  } satisfies Capability & Pick<Embeddings, 'models'>;
}
