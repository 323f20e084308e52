import type { Dispatcher } from 'undici';
import type { ToldUsage } from '@/lib/protocol/e2ee/ehbp/usage-metrics';
import { isMiscounted } from '@/lib/protocol/chat/token-usage';
import type { KeptStream } from '../../billing/stored-answers';
import { BodyParts } from '../../http/body-parts';
import type { BodySink, PushBody } from '../../http/call';
import type { UpstreamAnswer } from '../../upstreams/models/model-exchange';
import { UpstreamFailed, upstreamFailure } from '../../upstreams/models/upstream-error';
import { SilenceWatch } from '../../upstreams/silence-watch';
import type { ChatParts } from '../chat';
import { promptOf, type SealedHead, sealedPurchase } from './sealed-chat';
import type { PaidSealedChat, SealedAccount, SealedHeaders } from './sealed-scheme';

/**
 * Result of asking an enclave: an encrypted answer, an unencrypted refusal, or the usage of an answer that is too long.
 */
export type SealedOpening =
  | { kind: 'sealed'; head: SealedHead; relay: SealedRelay }
  | { kind: 'clear'; answer: UpstreamAnswer }
  | { kind: 'beyond'; usage: ToldUsage };

interface ClearAnswer {
  status: number;
  headers: UpstreamAnswer['headers'];
  body: BodyParts;
}

const CLEAR_BYTES_MAX = 65_536;

/**
 * Relays an encrypted answer byte for byte. Charges the reported usage, or else an estimate, and ends the body after
 * the charge is committed. Cuts off an answer longer than `completionTokensMax`.
 */
export class SealedRelay implements Dispatcher.DispatchHandler, PushBody {
  #account: SealedAccount | null = null;
  readonly #kept: KeptStream | null;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: BodySink | null = null;
  readonly #early = new BodyParts();
  #head: SealedHead | null = null;
  #clear: ClearAnswer | null = null;
  #state: 'waiting' | 'relaying' | 'settling' | 'settled' = 'waiting';
  #isCut = false;
  #isTooLong = false;
  #isGone = false;
  #hasEnded = false;
  readonly #silence = new SilenceWatch(() => this.#fallSilent());
  #stalled: NodeJS.Timeout | null = null;
  #stopListening: () => void = () => undefined;
  #stopKeeping: () => void = () => undefined;

  /** @param opened called once, when the answer begins or fails; the relay charges no failed answer */
  constructor(
    private readonly chat: PaidSealedChat,
    private readonly parts: Pick<ChatParts, 'config' | 'log'>,
    private readonly opened: { resolve: (opening: SealedOpening) => void; reject: (error: unknown) => void },
  ) {
    this.#kept = chat.paid.keptStream();
    this.#silence.wait(parts.config.firstByteTimeoutMs);
    this.#stopListening = chat.paid.call.whenGone(() => this.cancel());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isGone) controller.abort(new UpstreamFailed('gone'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: UpstreamAnswer['headers']): void {
    const account = this.chat.scheme.account(status, headers, this.chat);
    if (account === null) {
      this.#clear = { status, headers, body: new BodyParts() };
      // An unencrypted success cannot come from the enclave that decrypted the request.
      if (status < 400) this.#refuse(this.#clear, controller);
      return;
    }
    if (isSuccess(status) && account.usage && account.usage.completionTokens > this.chat.completionTokensMax)
      return this.#refuseBeyond(account.usage, controller);
    this.#begin({ status, headers: account.headers }, account);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#clear) return this.#collect(this.#clear, controller, chunk);
    if (this.#state !== 'relaying' || !this.#account) return;
    this.#silence.heard();
    this.#account.push(chunk);
    // The unencrypted part may come from an intermediary between the gateway and the enclave.
    if (this.#account.isInTheClear) return controller.abort(new UpstreamFailed('away'));
    if (this.#account.isBeyond(this.chat.completionTokensMax)) {
      this.#isTooLong = true;
      return controller.abort(new UpstreamFailed('too-long'));
    }
    this.#kept?.add(chunk);
    this.#pass(chunk);
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: UpstreamAnswer['headers']): void {
    if (this.#clear) return this.#refuse(this.#clear, null);
    this.#account?.end(trailers);
    this.#end(!this.#account?.isWhole);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#state === 'waiting') this.#failBefore(this.#isGone ? new UpstreamFailed('gone') : upstreamFailure(error));
    else this.#end(true);
  }

  start(sink: BodySink): void {
    this.#sink = sink;
    for (const bytes of this.#early) this.#pass(bytes);
    this.#early.drop();
    if (this.#state === 'settled') this.#close();
  }

  resume(): void {
    this.#clearStall();
    this.#controller?.resume();
  }

  cancel(): void {
    if (this.#isGone || this.#state === 'settled') return;
    this.#isGone = true;
    if (this.#state === 'relaying') this.#settle();
    if (this.#controller) this.#controller.abort(new UpstreamFailed('gone'));
    else this.#failBefore(new UpstreamFailed('gone', { isUnsent: true }));
  }

  #begin(head: SealedHead, account: SealedAccount): void {
    this.#head = head;
    this.#account = account;
    this.#state = 'relaying';
    this.#kept?.add(keptHead(head));
    this.#silence.wait(this.parts.config.idleTimeoutMs);
    this.#stopKeeping = this.chat.paid.keepAlive(() => sealedPurchase(this.chat, this.#tokens));
    this.opened.resolve({ kind: 'sealed', head, relay: this });
  }

  #collect(clear: ClearAnswer, controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (clear.body.length + chunk.length > CLEAR_BYTES_MAX) controller.abort(new UpstreamFailed('too-long'));
    else clear.body.copy(chunk);
  }

  #refuse({ status, headers, body }: ClearAnswer, controller: Dispatcher.DispatchController | null): void {
    this.#leave();
    this.opened.resolve({ kind: 'clear', answer: { status, headers, body: body.whole() } });
    controller?.abort(new UpstreamFailed('away'));
  }

  #refuseBeyond(usage: ToldUsage, controller: Dispatcher.DispatchController): void {
    this.#leave();
    this.opened.resolve({ kind: 'beyond', usage });
    controller.abort(new UpstreamFailed('too-long'));
  }

  #fallSilent(): void {
    // A stalled stream is silent because the client reads slowly. `#giveUp` disconnects slow clients.
    if (this.#stalled) this.#silence.wait(this.parts.config.idleTimeoutMs);
    else if (this.#controller) this.#controller.abort(new UpstreamFailed('timeout'));
    else {
      // The request is still waiting for a connection. `#isGone` makes it abort later.
      this.#isGone = true;
      this.#failBefore(new UpstreamFailed('timeout'));
    }
  }

  #failBefore(error: UpstreamFailed): void {
    this.#leave();
    this.opened.reject(error);
  }

  #pass(bytes: Uint8Array): void {
    if (this.#isGone) return;
    if (!this.#sink) return this.#early.copy(bytes);
    if (this.#sink.write(bytes) || this.#hasEnded || this.#stalled) return;
    this.#controller?.pause();
    this.#stalled = setTimeout(() => this.#giveUp(), this.parts.config.idleTimeoutMs);
  }

  #giveUp(): void {
    this.#sink?.drop();
    this.cancel();
  }

  #end(isCut: boolean): void {
    if (isCut && !this.#isGone && this.#state === 'relaying')
      this.parts.log.warn(
        { requestId: this.chat.paid.call.requestId, upstream: this.chat.model.upstream.name },
        'upstream ended an encrypted answer early',
      );
    this.#isCut ||= isCut;
    this.#hasEnded = true;
    this.#settle();
  }

  #settle(): void {
    if (this.#state === 'settled') this.#close();
    if (this.#state !== 'relaying') return;
    this.#state = 'settling';
    this.#leave();
    this.#clearStall();
    this.#charge()
      .catch((error: unknown) => {
        this.parts.log.error(
          { err: error, requestId: this.chat.paid.call.requestId },
          'charging an encrypted answer failed',
        );
        this.#isCut = true;
        this.#controller?.abort(new UpstreamFailed('gone'));
      })
      .finally(() => this.#close());
  }

  async #charge(): Promise<void> {
    const { paid } = this.chat;
    try {
      if (this.#isSold)
        await paid.settle(
          sealedPurchase(this.chat, this.#tokens, this.#isCut || this.#isGone ? null : (this.#kept?.with([]) ?? null)),
        );
    } finally {
      await paid.release();
    }
  }

  /**
   * True if the answer is charged. Errors are free, and so are answers that ended before a client could decrypt any
   * part.
   */
  get #isSold(): boolean {
    if (this.#head === null || this.#account === null || !isSuccess(this.#head.status)) return false;
    return this.#isTooLong || this.#account.hasContent || !(this.#isCut || this.#account.hasFailed);
  }

  /** Reported usage, or else an estimate. A reported zero is ignored if content arrived. */
  get #tokens(): ToldUsage {
    const { usage = null, hasContent = false, estimatedTokens = 0 } = this.#account ?? {};
    const leastTokens = Math.min(1, this.chat.completionTokensMax);
    const estimate = { ...promptOf(this.chat), completionTokens: Math.max(leastTokens, estimatedTokens) };
    if (usage === null || !isMiscounted(usage, hasContent)) return usage ?? estimate;
    return {
      ...usage,
      promptTokens: usage.promptTokens || estimate.promptTokens,
      completionTokens: usage.completionTokens || estimate.completionTokens,
    };
  }

  #close(): void {
    this.#state = 'settled';
    const sink = this.#sink;
    if (this.#isGone || !sink || !this.#hasEnded) return;
    this.#isGone = true;
    if (this.#isCut) sink.fail();
    else sink.end();
  }

  #leave(): void {
    this.#silence.stop();
    this.#stopListening();
    this.#stopKeeping();
  }

  #clearStall(): void {
    if (this.#stalled) clearTimeout(this.#stalled);
    this.#stalled = null;
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function keptHead({ headers }: SealedHead): Uint8Array {
  return Buffer.from(`${JSON.stringify(headers)}\n`);
}

export function readKept(kept: Uint8Array): { headers: SealedHeaders; body: Uint8Array } {
  const end = kept.indexOf(0x0a);
  return {
    headers: JSON.parse(Buffer.from(kept.subarray(0, end)).toString('utf8')) as SealedHeaders,
    body: kept.subarray(end + 1),
  };
}
