import { expect, type Locator, type Page } from '@playwright/test';
import { INTEL_ROOT } from '@/lib/protocol/tee/trusted-roots';

const ATTESTATION = '**/api/v1/tee/attestation?*';

export type Tampering = 'wrong-key' | 'wrong-nonce' | 'debug' | null;

export class ChatPage {
  readonly question: Locator;
  readonly warning: Locator;
  readonly privacyPanel: Locator;
  readonly verdict: Locator;
  readonly answers: Locator;
  readonly turns: Locator;
  /** Files attached to a draft or to a sent question. */
  readonly attached: Locator;
  /** Pictures of a draft or of a sent question. */
  readonly pictures: Locator;
  /** Bodies of sent chat requests, in order. */
  readonly sentBodies: string[] = [];

  constructor(readonly page: Page) {
    this.question = page.getByLabel('Your question');
    this.warning = page.getByRole('alert', { name: 'Tamper warning' });
    this.privacyPanel = page.getByRole('region', { name: 'Privacy', exact: true });
    this.verdict = page.getByRole('region', { name: 'Verdict' });
    this.answers = page.getByRole('article', { name: 'Answer' });
    this.turns = page.getByRole('log', { name: 'Questions and answers' }).locator('li[data-turn]');
    this.attached = page.getByRole('list', { name: 'Attached files' });
    this.pictures = page.getByRole('list', { name: 'Attached pictures' });
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/chat/completions'))
        this.sentBodies.push(request.postData() ?? '');
    });
  }

  /** Opens the page and waits until the model can be used. */
  async open(model?: string): Promise<void> {
    await this.page.goto('/chat');
    await expect(this.page.getByText('The list of models is still loading.')).toBeHidden();
    await expect(this.page.getByText('Still looking up the payment method.')).toBeHidden();
    if (model !== undefined) await this.chooseModel(model);
  }

  async chooseModel(model: string): Promise<void> {
    const picker = this.page.getByRole('button', { name: /^Model(:|$)/ });
    if ((await picker.getAttribute('aria-label')) === `Model: ${model}`) return;
    await picker.click();
    await this.page
      .getByRole('option')
      .filter({ hasText: new RegExp(`^${model}`) })
      .click();
    await expect(this.page.getByRole('button', { name: `Model: ${model}` })).toBeVisible();
  }

  async ask(question: string): Promise<Locator> {
    const turns = await this.turns.count();
    await this.begin(question);
    await expect(this.turns).toHaveCount(turns + 1);
    await this.settled();
    return this.answers.last();
  }

  async begin(question: string): Promise<void> {
    await this.question.fill(question);
    await this.page.getByRole('button', { name: 'Send', exact: false }).and(this.page.locator('[type=submit]')).click();
  }

  /** Refuses the next question, as the gateway or a proxy could. Later questions pass. */
  async refuseNext(answer: {
    status: number;
    headers?: Record<string, string>;
    json: { error: string; code: string; hint?: string };
  }): Promise<void> {
    await this.page.route(
      '**/api/v1/chat/completions',
      (route) => route.fulfill({ ...answer, headers: { 'x-request-id': 'req_refused', ...answer.headers } }),
      { times: 1 },
    );
  }

  /** Attaches files to the draft. */
  async attach(...files: readonly { name: string; text: string }[]): Promise<void> {
    await this.page
      .getByTestId('attach')
      .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
  }

  async attachPicture(name: string, mimeType: string, buffer: Buffer): Promise<void> {
    await this.page.getByTestId('attach').setInputFiles([{ name, mimeType, buffer }]);
  }

  /** Drops a file onto the draft. */
  async dropFile(name: string, text: string, type = 'text/plain'): Promise<void> {
    const dataTransfer = await this.page.evaluateHandle(
      ([fileName, content, fileType]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], fileName, { type: fileType }));
        return transfer;
      },
      [name, text, type] as const,
    );
    await this.page.getByRole('form', { name: 'Question', exact: true }).dispatchEvent('drop', { dataTransfer });
  }

  async settled(): Promise<void> {
    await expect(this.page.getByRole('log')).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
  }

  /** Shows a view on a wide screen, where conversations are always visible and other views are in a drawer. */
  async show(view: 'Privacy' | 'Setup' | 'Code' | 'History'): Promise<void> {
    if (view === 'History') {
      await expect(this.page.getByRole('region', { name: 'History' })).toBeVisible();
      return;
    }
    const tab = this.page.getByRole('tab', { name: view });
    if (await tab.isVisible()) return tab.click();
    const opener = { Privacy: /^Privacy: /, Setup: 'Settings', Code: 'Code' }[view];
    await this.page.getByRole('button', { name: opener, exact: true }).first().click();
    await expect(this.page.getByRole('region', { name: view, exact: true })).toBeVisible();
  }

  /**
   * Makes the sandbox's enclave falsify the attestations that this page requests, or stops that. Other clients get
   * honest attestations.
   */
  async tamper(tampering: Tampering): Promise<void> {
    await this.page.unroute(ATTESTATION);
    if (tampering === null) return;
    await this.page.route(ATTESTATION, async (route) => {
      const nonce = new URL(route.request().url()).searchParams.get('nonce');
      const response = await this.page.request.put(`${process.env.E2E_SANDBOX_URL}/enclave/tampering`, {
        data: { tampering, nonce },
      });
      expect(response.status()).toBe(200);
      await route.continue();
    });
  }

  /**
   * Makes this page accept the sandbox's enclave as genuine hardware. Replaces Intel's root in the code with the
   * sandbox's, and removes the mark of a simulation.
   */
  async trustSimulator(): Promise<void> {
    const { enclave } = (await (await this.page.request.get('/api/sandbox')).json()) as { enclave: { root: string } };
    const intel = Buffer.from(INTEL_ROOT.certificate.der).toString('base64');
    await this.page.route('**/_next/static/**/*.js*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(intel, enclave.root) });
    });
    await this.page.route('**/api/sandbox', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), enclave: null } });
    });
  }

  /** Returns the hash of the compose file that is measured in the quote of a model's enclave. */
  async measuredComposeHash(model: string): Promise<string> {
    const { demoKey } = (await (await this.page.request.get('/api/sandbox')).json()) as { demoKey: string };
    const response = await this.page.request.get(`/api/v1/tee/attestation?model=${model}&nonce=${'07'.repeat(32)}`, {
      headers: { authorization: `Bearer ${demoKey}` },
    });
    const { checks } = (await response.json()) as { checks: { id: string; evidence: Record<string, unknown> }[] };
    return String(checks.find(({ id }) => id === 'compose-file')?.evidence['measured']);
  }

  async rotate(): Promise<void> {
    expect(
      (await this.page.request.put(`${process.env.E2E_SANDBOX_URL}/enclave/rotation`, { data: {} })).status(),
    ).toBe(200);
  }
}
