/** Finds where a JSON object or list in chunks ends. Scans each character once. */
export class JsonExtent {
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
