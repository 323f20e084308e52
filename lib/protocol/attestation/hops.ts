import type { EnclaveKey } from './enclave';
import type { Hop, HopContext, HopEnclave, HopKind, HopProof, HopRequest, HopReads, HopStanding } from './hop';
import { hopTexts } from './hop-texts';

/**
 * Computes a prompt's path, hop by hop: the operator of each hop, what the hop can read, and the proof. Gateway,
 * console and commands share this code, which does not verify evidence.
 */

/** Returns a prompt's hops, from the client to the model or GPUs. */
export function hopsOf(request: HopRequest): readonly Hop[] {
  const { client, gateway, provider, isAttested, encryption } = request;
  const onTheWay = isAttested ? enclavesOnTheWay(request.enclaves) : [];
  const recipient = encryption === null ? null : recipientOf(onTheWay, encryption);
  const before = (kind: 'gateway' | 'provider', name: string | null) =>
    hop(
      kind,
      name,
      encryption === null ? 'content' : 'metadata',
      encryption === null ? 'claim' : 'encryption',
      encryption === null ? 'claim' : standingOf(recipient),
      { ...request, enclave: recipient },
    );
  const hops = [
    hop('client', null, 'content', client === 'page' ? 'claim' : 'none', client === 'page' ? 'claim' : 'own', request),
    before('gateway', gateway),
    before('provider', provider),
  ];
  if (!isAttested) return [...hops, hop('model', null, 'content', 'claim', 'claim', request)];
  if (onTheWay.length === 0)
    return [
      ...hops,
      hop('model', null, 'content', 'attestation', 'unchecked', request),
      hop('gpu', null, 'content', 'claim', 'claim', request),
    ];
  const recipientAt = recipient === null ? 0 : onTheWay.indexOf(recipient);
  return [
    ...hops,
    ...onTheWay.map((enclave, index) => enclaveHop(enclave, index < recipientAt ? 'metadata' : 'content', request)),
    ...hopsBehind(onTheWay, request),
  ];
}

/** Returns the enclaves in front of the model, then the model instance that a client would use. */
function enclavesOnTheWay(enclaves: readonly HopEnclave[]): readonly HopEnclave[] {
  const isModel = ({ role }: HopEnclave) => role === 'model';
  const instances = enclaves.filter((enclave) => isModel(enclave) && enclave.unusable === null);
  const used =
    instances.find((enclave) => 'isUsed' in enclave && enclave.isUsed) ?? instances[0] ?? enclaves.find(isModel);
  return [...enclaves.filter((enclave) => !isModel(enclave)), ...(used === undefined ? [] : [used])];
}

/**
 * Returns the enclave with the key to which content is encrypted. With HPKE (RFC 9180), this is the first enclave,
 * which terminates the connection; otherwise, the enclave nearest to the model.
 */
function recipientOf(onTheWay: readonly HopEnclave[], encryption: EnclaveKey['algorithm']): HopEnclave | null {
  const order = encryption === 'x25519-hpke' ? onTheWay : [...onTheWay].reverse();
  return (
    order.find(({ keys }) => keys.some((key) => key.algorithm === encryption && key.purpose === 'encryption')) ??
    order[0] ??
    null
  );
}

function enclaveHop(enclave: HopEnclave, reads: HopReads, request: HopRequest): Hop {
  return hop(enclave.role === 'model' ? 'model' : 'router', enclave.name, reads, 'attestation', standingOf(enclave), {
    ...request,
    enclave,
  });
}

function standingOf(enclave: HopEnclave | null): HopStanding {
  return enclave !== null && 'verdict' in enclave ? enclave.verdict : 'unchecked';
}

/**
 * Returns the hops after the last enclave: the GPUs, or model and GPUs if the last enclave is a router. A hop without
 * checkable evidence is only a claim.
 */
function hopsBehind(onTheWay: readonly HopEnclave[], request: HopRequest): Hop[] {
  const enclave = onTheWay.at(-1) as HopEnclave;
  if (enclave.role !== 'model')
    return (['model', 'gpu'] as const).map((kind) =>
      hop(kind, null, 'content', 'claim', 'claim', { ...request, enclave: null }),
    );
  const standing = gpuStanding(enclave);
  return [
    hop('gpu', null, 'content', standing === 'claim' ? 'claim' : 'attestation', standing, { ...request, enclave }),
  ];
}

function gpuStanding(enclave: HopEnclave): HopStanding {
  if (!('verdict' in enclave)) return enclave.gpus === null ? 'claim' : 'unchecked';
  const outcomeOf = (id: 'gpu-evidence' | 'gpu') =>
    enclave.checks.find((check) => check.id === id)?.outcome ?? 'not-checkable';
  const [evidence, vouched] = [outcomeOf('gpu-evidence'), outcomeOf('gpu')];
  if (evidence === 'failed' || vouched === 'failed') return 'failed';
  if (evidence === 'not-checkable') return 'claim';
  return vouched === 'passed' ? enclave.verdict : 'not-checkable';
}

function hop(
  kind: HopKind,
  name: string | null,
  reads: HopReads,
  proof: HopProof,
  standing: HopStanding,
  context: HopContext,
): Hop {
  const said = { kind, name, reads, proof, standing };
  return { ...said, text: hopTexts(said, context) };
}
