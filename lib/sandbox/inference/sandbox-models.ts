import { STAND_IN_EMBEDDING_MODEL } from '../embeddings/embeddings-server';
import { isAttested, PLACE_ENCRYPTION, STAND_IN_MODELS } from './models';

const TIMEOUT_MS = 5_000;
const EMBEDDING = { name: STAND_IN_EMBEDDING_MODEL.name, prices: { inputUsdPerMillionTokens: '0.02' } };
const PLACES = Object.keys(PLACE_ENCRYPTION) as (keyof typeof PLACE_ENCRYPTION)[];

interface SandboxModels {
  chatUpstreams: { name: string; url: string }[];
  enclaveUpstreams: {
    name: string;
    url: string;
    encryption: (typeof PLACE_ENCRYPTION)[keyof typeof PLACE_ENCRYPTION];
    controlUrl?: string;
  }[];
  models: Record<
    string,
    {
      name?: string;
      prices?: { inputUsdPerMillionTokens: string };
      capabilities: Record<
        | 'supportsTeeAttestation'
        | 'supportsE2EE'
        | 'supportsResponseSchema'
        | 'supportsFunctionCalling'
        | 'supportsVision',
        boolean
      >;
    }
  >;
  attestation: { roots: { certificate: string; simulated: true }[] };
}

/**
 * Reads the enclave's root from a running sandbox. Returns the configuration for the sandbox's models.
 * @throws {Error} if the sandbox does not answer
 */
export async function sandboxModels(sandboxUrl: string): Promise<SandboxModels> {
  const response = await fetch(`${sandboxUrl}/enclave`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The sandbox did not describe its enclave: ${response.status}.`);
  const { root } = (await response.json()) as { root: string };
  const models = STAND_IN_MODELS.map((model) => {
    const { id, isEncryptable, isEmbedding, sees = false } = model;
    const capabilities = {
      supportsTeeAttestation: isAttested(model),
      supportsE2EE: isEncryptable,
      supportsResponseSchema: true,
      supportsFunctionCalling: true,
      supportsVision: sees,
    };
    return [id, { capabilities, ...(isEmbedding && EMBEDDING) }] as const;
  });
  return {
    chatUpstreams: [{ name: 'guide', url: `${sandboxUrl}/guide/v1` }],
    enclaveUpstreams: PLACES.map((place) => ({
      name: `simulated-${place}`,
      url: `${sandboxUrl}/${place}/v1`,
      encryption: PLACE_ENCRYPTION[place],
      ...(place === 'chutes' && { controlUrl: `${sandboxUrl}/chutes` }),
    })),
    models: Object.fromEntries(models),
    attestation: { roots: [{ certificate: root, simulated: true }] },
  };
}
