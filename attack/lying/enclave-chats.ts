import { createHash, randomBytes } from 'node:crypto';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { E2EE_HEADERS, ENCLAVE_E2EE_HEADERS } from '@/lib/protocol/e2ee/headers';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { type ChatRequest, readChatRequest, textOf } from '@/lib/sandbox/guide/chat-request';
import { streamedCompletion, wholeCompletion } from '@/lib/sandbox/inference/completion-body';
import { isEncrypted, openRequest } from '@/lib/sandbox/inference/encrypted-request';
import { SignedExchanges } from '@/lib/sandbox/inference/signed-exchanges';

/** Enclave's answer to a chat. */
interface EnclaveAnswer {
  contentType: string;
  bytes: Buffer;
  /** Plain text of the answer. A client may attribute no other text to the enclave. */
  text: string;
}

const EXCHANGES_MAX = 20_000;
const PIECES_PER_SEALED_EVENT = 8;

/** Maps the enclave's header names to the names that callers send to the gateway. */
const OF_THE_GATEWAY: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENCLAVE_E2EE_HEADERS).map(([name, ofEnclave]) => [
    ofEnclave.toLowerCase(),
    E2EE_HEADERS[name as keyof typeof E2EE_HEADERS].toLowerCase(),
  ]),
);

/**
 * Simulates an enclave behind the gateway, with a model of any name. The bench compares what clients report with the
 * answers and signatures of this enclave.
 */
export class EnclaveChats {
  readonly enclave = new SimulatedEnclave(generateEnclaveKeys(Date.now()), '{"name":"the workload that was audited"}');
  readonly #exchanges = new SignedExchanges(EXCHANGES_MAX);

  /** The simulator's root: DER in base64. */
  get root(): string {
    return Buffer.from(this.enclave.root).toString('base64');
  }

  attestation(model: string, nonce: string): Record<string, unknown> {
    return {
      ...this.enclave.attest(model, Buffer.from(nonce, 'hex'), Date.now()),
      verified: true,
      verdict: 'verified',
    };
  }

  /** Returns the signature of a completion; null if the enclave did not make the completion. */
  signature(completionId: string, model: string | null): Record<string, unknown> | null {
    const text = this.#exchanges.textOf(completionId, model);
    return text === null
      ? null
      : { text, signature: this.enclave.sign(text), signing_address: this.enclave.address, signing_algo: 'ecdsa' };
  }

  /**
   * Answers a chat, complete or streamed, in plain text or encrypted.
   *
   * @throws Refusal for an invalid body or headers
   */
  answer(body: Buffer, headers: Readonly<Record<string, string | undefined>>): EnclaveAnswer {
    const header = (name: string): string | undefined => headers[OF_THE_GATEWAY[name] ?? name];
    const asked = readChatRequest(body);
    const { request, seal } = isEncrypted(header)
      ? openRequest(asked, header, this.enclave, 'ecdsa')
      : { request: asked, seal: (content: string) => content };
    const pieces = replyTo(request);
    const usage = { prompt_tokens: 10, completion_tokens: pieces.length, total_tokens: 10 + pieces.length };
    const completion = {
      id: `chatcmpl-${randomBytes(12).toString('hex')}`,
      model: asked.model,
      created: 1_767_225_600,
      reply: { pieces, toolCall: null, finishReason: 'stop' as const, usage },
    };
    const options = {
      includesUsage: asked.includesUsage,
      seal,
      piecesPerEvent: isEncrypted(header) ? PIECES_PER_SEALED_EVENT : 1,
    };
    const bytes = Buffer.from(
      asked.isStream ? [...streamedCompletion(completion, options)].join('') : wholeCompletion(completion),
    );
    this.#exchanges.remember(completion.id, asked.model, `${sha256(body)}:${sha256(bytes)}`);
    return { contentType: asked.isStream ? 'text/event-stream' : 'application/json', bytes, text: pieces.join('') };
  }
}

/** Returns an answer that depends only on the question. */
function replyTo({ messages }: ChatRequest): string[] {
  const question = messages.map(({ content }) => textOf(content)).join('\n');
  return [
    'The',
    ' answer',
    ' to',
    ' that',
    ' is',
    ` ${sha256(Buffer.from(question)).slice(0, 16)}`,
    ' and',
    ' nothing',
    ' else',
    '.',
  ];
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
