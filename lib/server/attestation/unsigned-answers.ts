import { randomBytes } from 'node:crypto';
import { factsOf } from '@/lib/protocol/attestation/family-facts';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { askForReport } from './asked-report';
import { type AttestedModel, signingAlgorithmOf } from './attested-model';
import { answersOf, reportedBy } from './provider-report';
import type { SeenReports } from './seen-reports';
import { unpackReport } from './unpack-report';

const FAMILIES_MAX = 1_000;

const BY_ENCRYPTION =
  'Answers of this model are not signed: an answer to an encrypted request is vouched for by its encryption, which takes what only the holder of the attested key could read.';
const BY_ATTESTATION =
  'Answers of this model are not signed: its attestation proves which enclave answers, and nothing vouches for a single answer.';

/**
 * What is said where an enclave has no signature of a completion because it signs none: what vouches for its answers
 * instead. Null for a model whose enclave signs, and where nobody can tell.
 */
export async function unsignedFault(model: AttestedModel, families: AskedFamilies): Promise<ApiError | null> {
  const { encryption } = model;
  // Of those that messages are encrypted to one by one clients demand a signature.
  if (encryption === 'ecdsa' || encryption === 'ed25519') return null;
  if (encryption !== null) return apiError('ANSWERS_NOT_SIGNED', { message: BY_ENCRYPTION });
  return signs(await families.of(model), model) === false
    ? apiError('ANSWERS_NOT_SIGNED', { message: BY_ATTESTATION })
    : null;
}

/** Whether enclaves of a family sign answers with the key of their report, by the algorithm that they are asked by; null where that is not known. */
function signs(family: string | null, { upstream }: AttestedModel): boolean | null {
  return factsOf(family)?.signsAnswersBy.includes(signingAlgorithmOf(upstream)) ?? null;
}

/** The families of models, as reports say: what was seen, or what is answered when asked. */
export class AskedFamilies {
  /** Of reports that were handed on to nobody, so that no list of models shows them. */
  readonly #families = new Map<string, string>();

  constructor(private readonly seen: Pick<SeenReports, 'of'>) {}

  /** Never throws: null where there is no report that can be read, and then it is asked for again the next time. */
  async of(model: AttestedModel): Promise<string | null> {
    const known = this.seen.of(model.id).family ?? this.#families.get(model.id);
    if (known !== undefined) return known;
    const family = await askForFamily(model).catch(() => null);
    if (family !== null) this.#keep(model.id, family);
    return family;
  }

  #keep(model: string, family: string): void {
    this.#families.set(model, family);
    const [oldest] = this.#families.keys();
    if (this.#families.size > FAMILIES_MAX && oldest !== undefined) this.#families.delete(oldest);
  }
}

async function askForFamily(model: AttestedModel): Promise<string | null> {
  const { answer, further } = await askForReport(model, randomBytes(32).toString('hex'));
  const unpacked = answer.status === 200 ? unpackReport(answer.body, model.id) : null;
  return unpacked && reportedBy([...answersOf(answer.body, unpacked), ...further]).family;
}
