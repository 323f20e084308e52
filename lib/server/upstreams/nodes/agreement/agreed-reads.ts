import type { Logger } from 'pino';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import type { Network } from '@/lib/protocol/networks';
import type { RequestRecord } from '../../../http/request-record';
import type { Asker } from '../asker';
import type { BlockDemand } from '../block-demand';
import type { BlockReference } from '../block-reference';
import type { ItemAnswer } from '../node-request';
import type { UpstreamNode } from '../upstream-node';
import type { UpstreamPool } from '../upstream-pool';
import { AgreementRound, type AgreementSettings } from './agreement-round';
import { type AnswerGroup, canonicalAnswer, differingPath, pathText, shownAt, valueOf } from './ballot';
import { asksForHead, BlockPins, type PinOptions } from './block-pins';

/** Error code if nodes disagree. It is in the range of JSON-RPC server errors, and EIP-1474 does not define it. */
const DISAGREEMENT = -32_090;

interface DisagreementReport {
  network: Network;
  log: Logger | null;
  release: (answers: readonly ItemAnswer[]) => void;
}

interface RoundOutcome {
  given: ItemAnswer | null;
  isRefused: boolean;
}

interface AgreedRead {
  item: RpcRequest;
  demand: BlockDemand | null;
  asker: Asker;
  /** Deadline (`performance.now()`). */
  deadline: number;
  record: RequestRecord | undefined;
}

/** Performs reads on which several nodes of a network must agree. Counts disagreements. */
export class AgreedReads {
  /**
   * Number of rounds in which nodes disagreed. `outvoted`: enough other nodes agreed. `unresolved`: too few nodes
   * agreed.
   */
  readonly disagreements = { outvoted: 0, unresolved: 0 };
  readonly #outvoted = new Map<UpstreamNode, number>();

  constructor(
    readonly settings: AgreementSettings,
    private readonly pool: UpstreamPool,
    private readonly report: DisagreementReport,
  ) {}

  covers(method: string): boolean {
    return this.settings.methods.has(method);
  }

  /** Part of the cache key that separates agreed answers from a single node's answers. */
  get mark(): string {
    return `agreed ${this.settings.agreeing}/${this.settings.nodes} `;
  }

  pins(options: Omit<PinOptions, 'agreeing'>): BlockPins {
    return new BlockPins(this.pool.nodes, { ...options, agreeing: this.settings.agreeing });
  }

  outvotedOf(node: UpstreamNode): number {
    return this.#outvoted.get(node) ?? 0;
  }

  /** Answers a request for the head. The answer is the newest block that enough nodes have. */
  async head(pins: BlockPins): Promise<ItemAnswer> {
    const height = await pins.heightOf('latest');
    const bytes = Buffer.from(this.report.network.kind === 'evm' ? `"0x${height.toString(16)}"` : String(height));
    return { kind: 'result', bytes, start: 0, end: bytes.length, agreeing: this.#shown(pins.nodesAt(height)) };
  }

  asksForHead(item: RpcRequest): boolean {
    return asksForHead(item.method);
  }

  /**
   * Returns the answer on which enough nodes agree, or a JSON-RPC error that describes the disagreement.
   * @throws UpstreamFailure
   */
  async read({ item, demand, asker, deadline, record }: AgreedRead): Promise<ItemAnswer> {
    const reference = demand?.reference ?? null;
    const round = new AgreementRound(item, {
      pool: this.pool,
      kind: this.report.network.kind,
      settings: this.settings,
      demand,
      asker,
      deadline,
      record,
      release: (answer) => this.report.release([answer]),
    });
    const outcome: RoundOutcome = { given: null, isRefused: false };
    try {
      const { agreed } = await round.run();
      outcome.isRefused = agreed === null;
      if (agreed === null) return this.#refusal(round, reference);
      outcome.given = agreed.answer;
      return { ...agreed.answer, agreeing: this.#shown(agreed.nodes.length) };
    } finally {
      void round.ended.then(() => this.#ended(round, reference, outcome));
    }
  }

  kept(answer: ItemAnswer): ItemAnswer {
    return { ...answer, agreeing: this.settings.agreeing };
  }

  #shown(agreeing: number): number {
    return Math.min(agreeing, this.settings.nodes);
  }

  #refusal(round: AgreementRound, reference: BlockReference | null): ItemAnswer {
    const { agreeing, nodes } = this.settings;
    const { about, answers } = this.#described(round);
    const block = placeOf(reference);
    const said = answers.map(({ upstreams, answer }) => `${upstreams.join(' and ')}: ${answer}`).join('; ');
    const message = `Upstreams disagree: ${agreeing} of ${nodes} must give the same answer to ${round.item.method}${block === null ? '' : ` at block ${block}`}. They differ in ${about}: ${said}. Try again later, or tell the operator.`;
    const bytes = Buffer.from(
      JSON.stringify({
        code: DISAGREEMENT,
        message,
        data: { reason: 'disagreement', method: round.item.method, block, about, answers },
      }),
    );
    const most = round.ballot.largest?.nodes.length ?? 0;
    return { kind: 'error', bytes, start: 0, end: bytes.length, agreeing: this.#shown(most) };
  }

  #ended(round: AgreementRound, reference: BlockReference | null, { given, isRefused }: RoundOutcome): void {
    if (isRefused || round.ballot.groups.length > 1) this.#tell(round, reference, isRefused);
    const spent = round.answers.filter((answer) => answer.bytes !== given?.bytes);
    if (spent.length > 0) this.report.release(spent);
  }

  #tell(round: AgreementRound, reference: BlockReference | null, isRefused: boolean): void {
    const { log, network } = this.report;
    const { largest, groups } = round.ballot;
    const winner = !isRefused && largest && largest.nodes.length >= this.settings.agreeing ? largest : null;
    this.disagreements[winner ? 'outvoted' : 'unresolved']++;
    const outvoted = winner ? groups.filter((group) => group !== winner).flatMap(({ nodes }) => nodes) : [];
    for (const node of outvoted) this.#outvoted.set(node, this.outvotedOf(node) + 1);
    const { about, answers } = this.#described(round);
    log?.warn(
      {
        network: network.slug,
        method: round.item.method,
        block: placeOf(reference),
        agreed: winner ? namesOf(winner) : [],
        outvoted: outvoted.map(({ name }) => name),
        about,
        answers,
      },
      'upstreams disagreed',
    );
  }

  #described(round: AgreementRound): { about: string; answers: { upstreams: string[]; answer: string }[] } {
    const groups = [...round.ballot.groups, ...round.weak.groups];
    const texts = groups.map(({ answer }) =>
      answer.kind === 'result' ? canonicalAnswer(answer, this.report.network.kind)?.slice('result '.length) : undefined,
    );
    const [first] = texts;
    const other = texts.find((text, i) => i > 0 && text !== undefined);
    const path =
      first !== undefined && other !== undefined && texts.every((text) => text !== undefined)
        ? differingPath(first, other)
        : null;
    const about = path === null ? 'the whole answer' : pathText(path);
    const answers = groups.map((group, i) => {
      const text = texts[i];
      if (group.answer.kind === 'error') return { upstreams: namesOf(group), answer: `error ${codeOf(group)}` };
      return {
        upstreams: namesOf(group),
        answer:
          text === undefined ? `a result of ${group.answer.end - group.answer.start} bytes` : shownAt(text, path ?? []),
      };
    });
    return { about, answers };
  }
}

function namesOf({ nodes }: AnswerGroup): string[] {
  return nodes.map(({ name }) => name);
}

/** Returns only the error code, because the node's message may quote its URL. */
function codeOf({ answer }: AnswerGroup): string {
  try {
    return String((JSON.parse(valueOf(answer).toString('utf8')) as { code?: unknown }).code).slice(0, 12);
  } catch {
    return 'without a code';
  }
}

function placeOf(reference: BlockReference | null): string | null {
  if (reference === null) return null;
  return reference.at === 'number' && reference.height !== null ? `0x${reference.height.toString(16)}` : reference.id;
}
