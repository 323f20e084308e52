import type { CalledFragment } from './answer-parts';

/** Finds the end of a JSON object or list that arrives in chunks. Scans each character once. */
class JsonExtent {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #hasBegun = false;

  /** True if all brackets are closed. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; at++) this.#take(text.charAt(at));
  }

  #take(character: string): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
    } else if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') {
      this.#depth++;
      this.#hasBegun = true;
    } else if (character === '}' || character === ']') this.#depth--;
  }
}

interface OpenCall {
  id: string | null;
  name: string | null;
  serverIndex: number | null;
  argumentsExtent: JsonExtent;
}

/**
 * Assigns an index to each tool call of a stream. Distinguishes tool calls by id, then by the server's index. Some
 * servers send index 0 or no index for every tool call.
 */
export class CallPlaces {
  readonly #calls: OpenCall[] = [];

  get size(): number {
    return this.#calls.length;
  }

  /** Returns the index of the tool call that a fragment begins or continues. */
  placeOf(fragment: CalledFragment): number {
    const found = this.#found(fragment);
    return this.#note(fragment, found < 0 ? this.#calls.length : found);
  }

  /** Returns the index of a whole tool call. */
  placeOfWhole(call: CalledFragment): number {
    return this.#note(call, this.#calls.length);
  }

  #note({ id, name, index: serverIndex, argumentsText }: CalledFragment, index: number): number {
    const call = (this.#calls[index] ??= { id: null, name: null, serverIndex, argumentsExtent: new JsonExtent() });
    call.id ??= id;
    call.name ??= name;
    call.argumentsExtent.push(argumentsText);
    return index;
  }

  /** Returns the index of the tool call that a fragment continues; negative for a new tool call. */
  #found({ id, name, index, argumentsText }: CalledFragment): number {
    const known = id === null ? -1 : this.#calls.findIndex((call) => call.id === id);
    if (known >= 0) return known;
    const last =
      index === null ? this.#calls.length - 1 : this.#calls.findLastIndex((call) => call.serverIndex === index);
    const call = this.#calls[last];
    if (call === undefined) return -1;
    // Some servers give every fragment a different id. A fragment without a name continues arguments that have begun.
    const continues = name === null && argumentsText !== '' && call.name !== null && !call.argumentsExtent.isWhole;
    if (id !== null && call.id !== null) return continues ? last : -1;
    const isNamedAnew =
      name !== null &&
      call.name !== null &&
      (name !== call.name || (argumentsText !== '' && call.argumentsExtent.isWhole));
    return isNamedAnew ? -1 : last;
  }
}
