import { headersOf } from '@/lib/protocol/e2ee/encryption-headers';
import { isKnownBlind } from './chat-model';
import type { ListedModel } from './model-catalogue';

/**
 * Formats a chat model for GET /models (specification, "Model capability flags"). Prices are USD per million tokens.
 */
export function modelEntry({ model, offline }: ListedModel) {
  const { id, created, ownedBy, name, contextTokens, maxOutputTokens, capabilities, encryption, price } = model;
  const firstTokenMs = model.upstream.firstTokens.medianMs(id);
  const isBlind = isKnownBlind(model);
  const { cachedInputNanoUsdPerMillion: cached, cacheWriteNanoUsdPerMillion: written } = price;
  const usd = (nanoUsd: number) => ({ usd: nanoUsd / 1e9, diem: nanoUsd / 1e9 });
  return {
    id,
    type: 'text',
    object: 'model',
    created,
    owned_by: ownedBy,
    context_length: contextTokens,
    model_spec: {
      name,
      availableContextTokens: contextTokens,
      maxCompletionTokens: maxOutputTokens,
      capabilities: { ...capabilities, ...(isBlind && { supportsVision: false }), supportsWebSearch: false },
      pricing: {
        input: usd(price.inputNanoUsdPerMillion),
        output: usd(price.outputNanoUsdPerMillion),
        ...(cached !== undefined && { cache_input: usd(cached) }),
        ...(written !== undefined && { cache_write: usd(written) }),
      },
      privacy: privacyOf(model),
      ...(firstTokenMs !== null && { latency: { firstTokenMs } }),
      ...(encryption !== null && { encryption, encryptionHeaders: headersOf(encryption) }),
      offline,
    },
  };
}

/**
 * Returns who can read a chat: only the enclave (`e2ee`), the enclave and the gateway (`tee`), or the gateway and the
 * model's operator (`relayed`).
 */
function privacyOf({ encryption, capabilities }: ListedModel['model']): 'e2ee' | 'tee' | 'relayed' {
  if (encryption !== null) return 'e2ee';
  return capabilities.supportsTeeAttestation ? 'tee' : 'relayed';
}
