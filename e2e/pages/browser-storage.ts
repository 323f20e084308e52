import type { Page } from '@playwright/test';

/** Reads, fills or blocks the browser storage of the console. */
export class BrowserStorage {
  constructor(readonly page: Page) {}

  /** Fills local and session storage of the open page completely. */
  async fill(): Promise<void> {
    await this.page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage]) {
        for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) {
          for (let part = 0; part < 64; part++) {
            try {
              storage.setItem(`filler-${size}-${part}`, 'x'.repeat(size));
            } catch {
              break;
            }
          }
        }
      }
    });
  }

  async empty(): Promise<void> {
    await this.page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage])
        Object.keys(storage)
          .filter((key) => key.startsWith('filler-'))
          .forEach((key) => storage.removeItem(key));
    });
  }

  /** Blocks storage for the next page loads, as browsers can. */
  async block(): Promise<void> {
    await this.page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get: refuse });
    });
  }

  /** Makes database writes fail for the next page loads, as on a full disk. */
  async fillDatabase(): Promise<void> {
    await this.page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
  }

  /** Returns the conversations in the database. */
  conversations(): Promise<{ id: string; turns: { question: string }[] }[]> {
    return this.page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open('turnpike');
          opening.onerror = () => reject(opening.error ?? new Error('no database'));
          opening.onsuccess = () => {
            const reading = opening.result.transaction('conversations').objectStore('conversations').getAll();
            reading.onsuccess = () => {
              opening.result.close();
              resolve(reading.result as { id: string; turns: { question: string }[] }[]);
            };
          };
        }),
    );
  }
}
