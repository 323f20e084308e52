import type { Privacy } from '@/lib/protocol/api-keys/key-scope';
import type { ChatModel } from './chat-model';

/** Returns whether this gateway has verified the enclave of a model. @throws ApiError ATTESTATION_UNAVAILABLE */
export type IsAttested = (model: ChatModel) => Promise<boolean>;

/**
 * Returns the privacy of a chat; null if not private.
 *
 * @param models all models that may answer, because failover must not be less private
 */
export async function privacyOf(
  models: readonly ChatModel[],
  isEncrypted: boolean,
  isAttested: IsAttested,
): Promise<Privacy | null> {
  if (models.length === 0 || models.some(({ capabilities }) => !capabilities.supportsTeeAttestation)) return null;
  const verdicts = await Promise.all(models.map(isAttested));
  if (verdicts.includes(false)) return null;
  return isEncrypted ? 'encrypted' : 'attested';
}
