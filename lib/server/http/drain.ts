import type { ServerResponse } from 'node:http';

/**
 * Shutdown state of the process. After `begin`, every new head has `Connection: close` (RFC 9112, section 9.6), so that
 * no client reuses a closing connection.
 */
export class Drain {
  readonly #answers = new Set<ServerResponse>();
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  begin(): void {
    this.#isDraining = true;
    for (const response of this.#answers) response.shouldKeepAlive = false;
    this.#answers.clear();
  }

  /** Tracks a node:http answer whose head is not written yet. */
  follow(response: ServerResponse): void {
    if (this.#isDraining) {
      response.shouldKeepAlive = false;
      return;
    }
    this.#answers.add(response);
    response.once('close', () => this.#answers.delete(response));
  }
}
