import type { FamilyAnswer } from '@/lib/protocol/attestation/family';
import { assertBoundedJson } from '@/lib/protocol/tee/json-bounds';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';
import { type AttestedModel, signingAlgorithmOf } from './attested-model';

const REPORT_BYTES_MAX = 8 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

interface AskedReport {
  answer: UpstreamAnswer;
  /** Further parts of a report that the provider splits into several answers. */
  further: readonly FamilyAnswer[];
}

/**
 * Requests the report of a model's enclave for a nonce, from the provider's control server if there is one.
 * @throws {UpstreamFailed | ApiError}
 */
export async function askForReport(
  { id, controlId = id, upstream }: AttestedModel,
  nonce: string,
): Promise<AskedReport> {
  const { control, instances } = upstream;
  if (control == null || instances == null) {
    const query = new URLSearchParams({ model: id, nonce, signing_algo: signingAlgorithmOf(upstream) });
    return {
      answer: await upstream.ask(
        { method: 'GET', path: `/attestation/report?${query}`, timeoutMs: TIMEOUT_MS },
        REPORT_BYTES_MAX,
      ),
      further: [],
    };
  }
  const answer = await control.ask(
    {
      method: 'GET',
      path: `/chutes/${encodeURIComponent(controlId)}/evidence?${new URLSearchParams({ nonce })}`,
      timeoutMs: TIMEOUT_MS,
    },
    REPORT_BYTES_MAX,
  );
  const listed = await instances.list(controlId, attestingIn(answer.body));
  // Omits the instances' single-use nonces, because the gateway needs them for its own requests.
  const json = {
    instances: listed.map(({ id: instance, publicKey }) => ({ instance_id: instance, e2e_pubkey: publicKey })),
  };
  return { answer, further: [{ json, text: JSON.stringify(json) }] };
}

function attestingIn(body: Buffer): string[] {
  try {
    const json = JSON.parse(body.toString('utf8')) as unknown;
    assertBoundedJson(json, 'report');
    const { evidence } = json as { evidence?: unknown };
    return Array.isArray(evidence)
      ? evidence.flatMap((item: { instance_id?: unknown } | null) =>
          typeof item?.instance_id === 'string' ? [item.instance_id] : [],
        )
      : [];
  } catch {
    // Unreadable evidence fails verification later.
    return [];
  }
}
