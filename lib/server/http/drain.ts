import type { ServerResponse } from 'node:http';

/**
 * Whether this process is about to end. From `begin` on every answer says `Connection: close` (RFC 9112, section 9.6),
 * those included that were being made, so that no client sends its next request to a connection that is about to close.
 */
export class Drain {
  readonly #answers = new Set<ServerResponse>();
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The end has been asked for. A second time: no effect. */
  begin(): void {
    this.#isDraining = true;
    for (const response of this.#answers) response.shouldKeepAlive = false;
    this.#answers.clear();
  }

  /** An answer of node:http, before its head is written. */
  follow(response: ServerResponse): void {
    if (this.#isDraining) {
      response.shouldKeepAlive = false;
      return;
    }
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
  }
}
