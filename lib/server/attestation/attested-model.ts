import type { ModelUpstream } from '../upstreams/models/model-upstream';

/** A model that runs in an enclave, as far as attesting it goes. */
export interface AttestedModel {
  id: string;
  upstream: Pick<ModelUpstream, 'name' | 'ask' | 'redact'>;
  capabilities: { supportsE2EE: boolean };
}
