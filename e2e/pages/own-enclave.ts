import type { Page } from '@playwright/test';
import { SimulatedEnclave } from '@/lib/sandbox/enclave/enclave';
import { generateEnclaveKeys } from '@/lib/sandbox/enclave/enclave-keys';
import { FamilyReports, type SimulatedFamily } from '@/lib/sandbox/enclave/families/family-reports';

/**
 * Enclave of one test. It replaces the sandbox's enclave for one page, so that other tests do not notice its changes.
 * It attests, but answers no questions.
 */
export class OwnEnclave {
  readonly #keys = generateEnclaveKeys(Date.now());
  #reports = this.#running('{"name":"first"}');

  private constructor(readonly family: SimulatedFamily) {}

  /** Makes it answer all attestation requests of a page from now on, in a family's format. */
  static async for(page: Page, family: SimulatedFamily): Promise<OwnEnclave> {
    const own = new OwnEnclave(family);
    const root = Buffer.from(new SimulatedEnclave(own.#keys, '{}').root).toString('base64');
    await page.route('**/api/sandbox', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), enclave: { root } } });
    });
    await page.route('**/api/v1/tee/attestation?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      const answer = own.#reports.attest(family, {
        model: query.get('model') ?? '',
        nonce: Buffer.from(query.get('nonce') ?? '', 'hex'),
        nowMs: Date.now(),
        tampering: undefined,
      });
      return route.fulfill({
        json: { verified: true, verdict: 'simulated', provider_answers: [answer], provider_endorsements: null },
      });
    });
    return own;
  }

  /** Restarts it with another compose file, like an update. This changes its measurement. */
  update(): void {
    this.#reports = this.#running('{"name":"second"}');
  }

  #running(appCompose: string): FamilyReports {
    return new FamilyReports(new SimulatedEnclave(this.#keys, appCompose));
  }
}
