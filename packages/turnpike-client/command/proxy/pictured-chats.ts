import { errorText } from '@/lib/client/bounded-answer';
import {
  attachmentsIn,
  isLastingRefusal,
  refusedAttachments,
  withoutAttachments,
} from '@/lib/protocol/chat/attachments';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import type { Turnpike } from '../../src/turnpike';

/** Time for which the proxy remembers whether a model accepts images. */
const KEPT_MS = 600_000;
const MODELS_MAX = 100;
const LOOK_TIMEOUT_MS = 10_000;
const REFUSAL_STATUS_MAX = 499;
/** Matches a body that may have attachments. */
const MAY_BRING = /"(image|image_url|input_image|document|file|input_file)"/;

/**
 * Learns from the gateway's model list and from refusals which models accept images. Programs also send the images of
 * earlier turns, so a refused chat is resent with text in place of images.
 */
export class PicturedChats {
  readonly #seen = new Map<string, { sees: boolean | null; untilMs: number }>();

  constructor(
    private readonly customer: Pick<Turnpike, 'fetch'>,
    private readonly chats: typeof fetch,
  ) {}

  async sees(model: unknown, bodyText: string): Promise<boolean | null> {
    if (typeof model !== 'string' || !MAY_BRING.test(bodyText)) return null;
    const known = this.#seen.get(model);
    if (known !== undefined && known.untilMs > performance.now()) return known.sees;
    return this.#note(model, await this.#listed(model));
  }

  /**
   * @param isForgiving whether the proxy may leave out attachments
   * @param leaveOut called with the omitted attachments
   */
  async send(
    path: string,
    init: RequestInit & { body: string },
    { isForgiving, leaveOut }: { isForgiving: boolean; leaveOut: (what: string) => void },
  ): Promise<Response> {
    const response = await this.chats(path, init);
    const chat = isForgiving && !response.ok && MAY_BRING.test(init.body) ? (parsedRecord(init.body) ?? {}) : {};
    const messages = messagesOf(chat);
    const sent = attachmentsIn(messages);
    if (response.ok || sent.size === 0 || response.status > REFUSAL_STATUS_MAX) return response;
    const said = await errorText(response);
    const refused = refusedAttachments(sentenceOf(said), sent);
    if (refused.size === 0) return new Response(said, { status: response.status, headers: response.headers });
    leaveOut(`${[...refused].join(', ')}, which the model refused`);
    const again = await this.send(
      path,
      { ...init, body: JSON.stringify({ ...chat, messages: withoutAttachments(messages, refused) }) },
      { isForgiving, leaveOut },
    );
    if (again.ok && refused.has('images') && isLastingRefusal(sentenceOf(said), chat))
      this.#note(String(chat['model']), false);
    return again;
  }

  /**
   * Removes images and files from a chat.
   *
   * @returns null if the chat has none
   */
  withoutAny(bodyText: string): string | null {
    const chat = parsedRecord(bodyText) ?? {};
    const messages = messagesOf(chat);
    const brought = attachmentsIn(messages);
    return brought.size === 0 ? null : JSON.stringify({ ...chat, messages: withoutAttachments(messages, brought) });
  }

  #note(model: string, sees: boolean | null): boolean | null {
    if (this.#seen.size >= MODELS_MAX) this.#seen.clear();
    this.#seen.set(model, { sees, untilMs: performance.now() + KEPT_MS });
    return sees;
  }

  async #listed(model: string): Promise<boolean | null> {
    try {
      const response = await this.customer.fetch(`/api/v1/models/${encodeURIComponent(model)}`, {
        signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
      });
      const entry = parsedRecord(await errorText(response)) ?? {};
      const { supportsVision: sees } = recordOf(recordOf(entry['model_spec'])['capabilities']);
      return response.ok && typeof sees === 'boolean' ? sees : null;
    } catch {
      // The answer to the chat will show whether the model accepts images.
      return null;
    }
  }
}

function messagesOf({ messages }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return Array.isArray(messages) ? messages.map(recordOf) : [];
}

function sentenceOf(bodyText: string): string {
  const { error } = parsedRecord(bodyText) ?? {};
  return typeof error === 'string' ? error : '';
}
