import { expect, type Locator, type Page } from '@playwright/test';
import type { Wallets } from './wallets';

/** The Top up page. */
export class TopUpPage {
  readonly pay: Locator;
  readonly payment: Locator;
  readonly receipt: Locator;
  readonly history: Locator;
  readonly withdraw: Locator;
  /** The printable receipt. */
  readonly sheet: Locator;

  constructor(readonly page: Page) {
    this.pay = page.getByRole('region', { name: 'Pay', exact: true });
    this.payment = page.getByRole('region', { name: /^Payment of/ });
    this.receipt = page.getByRole('status', { name: 'Receipt' });
    this.history = page.getByRole('region', { name: 'History' });
    this.withdraw = page.getByRole('region', { name: 'Withdraw' });
    this.sheet = page.getByRole('article', { name: 'Receipt' });
  }

  async open(): Promise<void> {
    await this.page.goto('/top-up');
    await expect(this.pay).toBeVisible();
  }

  async choose(rail: string | RegExp, amount: string): Promise<void> {
    await this.pay.getByRole('radio', { name: rail }).check();
    await this.pay.getByLabel('Another amount').fill(amount);
  }

  /** Prepares the payment and shows what will be signed. */
  async review(): Promise<void> {
    await this.pay.getByRole('button', { name: /^Review/ }).click();
    await expect(this.pay.getByRole('heading', { name: 'You sign' })).toBeVisible();
  }

  /** Prepares a payment on the sandbox's chain from a new wallet with test funds. */
  async reviewFunded(wallets: Wallets, amount: string): Promise<void> {
    await this.open();
    await wallets.connectFunded('ethereum', 'Test Wallet');
    await this.choose('Turnpike Sandbox', amount);
    await this.review();
  }

  async sign(): Promise<void> {
    await this.pay.getByRole('button', { name: /^(Sign with|Try again)/ }).click();
  }

  /** Opens the withdrawal form, which is closed and empty until the customer asks for it. */
  async openWithdraw(): Promise<void> {
    const amount = this.withdraw.getByLabel('Amount to withdraw in USDC');
    await expect(amount).toBeHidden();
    await this.withdraw.locator('summary').click();
    await expect(amount).toHaveValue('');
  }

  /** Reviews the amount to withdraw as it will be signed, and signs it. */
  async withdrawAmount(amount: string): Promise<void> {
    await this.openWithdraw();
    await this.withdraw.getByLabel('Amount to withdraw in USDC').fill(amount);
    await this.withdraw.getByRole('button', { name: 'Review withdrawal' }).click();
    await this.withdraw.getByRole('button', { name: /^Sign withdrawal with/ }).click();
  }

  /** Makes the gateway report that a payment waits, as with slow chains. @returns a function that ends this */
  async keepPending(waitingFor: string): Promise<() => void> {
    let isPending = true;
    await this.page.route('**/api/v1/x402/top-up', (route) =>
      isPending
        ? route.fulfill({
            status: 503,
            headers: { 'retry-after': '1' },
            json: {
              code: 'X402_PAYMENT_PENDING',
              error: 'The payment is pending and not credited yet.',
              state: 'submitted',
              paymentId: '0f3f5f0e-7f60-4a0e-8a59-0c4f6a9d6f11',
              message: waitingFor,
              waitingFor,
            },
          })
        : route.continue(),
    );
    return () => {
      isPending = false;
    };
  }

  /** Returns the lines of the history with this amount. */
  movements(amount: string): Locator {
    return this.history.getByRole('row').filter({ hasText: amount });
  }

  /** Returns the value under a name in the review or receipt. */
  fact(name: string): Locator {
    return this.page
      .getByRole('main')
      .locator('dl > div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .locator('dd');
  }
}
