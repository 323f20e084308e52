import { createHash } from 'node:crypto';
import type { Call, Reply } from './call';
import { compressedInTurn, PLAIN_BYTES_MAX } from './compression/compressed-reply';
import { acceptedCoding, type ContentCoding } from './compression/content-coding';

/** Lifetime of a cached variant. It is short, so that the console sees the changes it made. */
const FRESH_MS = 100;
const VARIANTS_MAX = 16;
const TAGS = /"[^"]*"/g;

interface Variant {
  madeAt: number;
  isBeingMade: boolean;
  body: Promise<KeptBody>;
}

/**
 * JSON answers that are the same for every caller. Serializes each variant of an answer at most ten times a second.
 * Compresses unchanged bytes only once per coding.
 */
export class KeptJson {
  readonly #variants = new Map<string, Variant>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Answers 200 with a strong ETag, or 304 if If-None-Match matches the current bytes (RFC 9110, section 13.1.2).
   * @param name name of the variant. It includes everything that the body depends on, such as the query
   * @param make returns the value to send; its errors are not cached
   */
  async reply(call: Pick<Call, 'header'>, name: string, make: () => unknown): Promise<Reply> {
    const body = await this.#bodyOf(name, make);
    const accepted = call.header('accept-encoding');
    const coding = body.isLong && accepted !== null ? acceptedCoding(accepted) : null;
    // Allows browsers to store the answer, because they send If-None-Match only for stored answers.
    const headers = { 'cache-control': 'private, no-cache', ...(body.isLong && { vary: 'Accept-Encoding' }) };
    const known = knownTag(call.header('if-none-match'), [body.tagIn(coding), body.tagIn(null)]);
    if (known !== undefined) return { status: 304, headers: { ...headers, etag: known }, body: null };
    const compressed = coding && (await body.compressed(coding));
    return {
      status: 200,
      headers: {
        'content-type': 'application/json',
        ...headers,
        etag: body.tagIn(compressed && coding),
        ...(compressed && coding && { 'content-encoding': coding }),
      },
      body: compressed ?? body.bytes,
    };
  }

  #bodyOf(name: string, make: () => unknown): Promise<KeptBody> {
    const before = this.#variants.get(name);
    if (before && (before.isBeingMade || this.now() - before.madeAt < FRESH_MS)) return before.body;
    const variant: Variant = { madeAt: this.now(), isBeingMade: true, body: newBody(make, before) };
    this.#variants.delete(name);
    this.#variants.set(name, variant);
    const [oldest] = this.#variants.keys();
    if (this.#variants.size > VARIANTS_MAX) this.#variants.delete(oldest as string);
    variant.body.then(
      () => (variant.isBeingMade = false),
      () => this.#variants.get(name) === variant && this.#variants.delete(name),
    );
    return variant.body;
  }
}

/**
 * Returns the variant's new body. If the bytes are unchanged, returns the body of `before`, to reuse its
 * compressed forms.
 */
async function newBody(make: () => unknown, before: Variant | undefined): Promise<KeptBody> {
  const body = new KeptBody(Buffer.from(JSON.stringify(await make())));
  const old = await before?.body;
  return old?.tagIn(null) === body.tagIn(null) ? old : body;
}

class KeptBody {
  readonly #hash: string;
  readonly #compressed = new Map<ContentCoding, Promise<Uint8Array | null>>();

  constructor(readonly bytes: Uint8Array) {
    this.#hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  }

  get isLong(): boolean {
    return this.bytes.byteLength > PLAIN_BYTES_MAX;
  }

  /** Returns the ETag of the bytes in a coding. A `coding` of null means uncompressed bytes. */
  tagIn(coding: ContentCoding | null): string {
    return coding === null ? `"${this.#hash}"` : `"${this.#hash}-${coding}"`;
  }

  /** Returns the compressed bytes; null if compression is not possible now. */
  compressed(coding: ContentCoding): Promise<Uint8Array | null> {
    let made = this.#compressed.get(coding);
    if (!made) {
      made = compressedInTurn([this.bytes], coding);
      this.#compressed.set(coding, made);
      void made.then((bytes) => bytes === null && this.#compressed.delete(coding));
    }
    return made;
  }
}

/** Returns the first tag that If-None-Match matches, by weak comparison; undefined if none. */
function knownTag(condition: string | null, tags: readonly string[]): string | undefined {
  if (condition === null) return undefined;
  if (condition.trim() === '*') return tags[0];
  const named: readonly string[] = condition.match(TAGS) ?? [];
  return tags.find((tag) => named.includes(tag));
}
