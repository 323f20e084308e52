import { expect, type Locator, type Page } from '@playwright/test';
import { Shell } from './shell';

/** The dialog for wallets, keys and staking. */
export class Wallets {
  readonly dialog: Locator;
  readonly ethereum: Locator;
  readonly solana: Locator;
  readonly stake: Locator;
  readonly allocation: Locator;
  readonly mint: Locator;
  readonly keys: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog', { name: 'Wallets' });
    this.ethereum = this.dialog.getByRole('region', { name: 'Ethereum and EVM chains' });
    this.solana = this.dialog.getByRole('region', { name: 'Solana' });
    this.stake = page.getByRole('article', { name: 'The right to a key' });
    this.allocation = page.getByRole('article', { name: 'The daily allocation' });
    this.mint = page.getByRole('region', { name: 'Mint a key' });
    this.keys = page.getByRole('region', { name: 'Keys', exact: true });
  }

  async openDialog(): Promise<void> {
    await expect(async () => {
      // The button works only after hydration, and loading its code takes time on a busy machine.
      if (!(await this.dialog.isVisible())) {
        const panel = this.page.getByRole('dialog', { name: 'Payment method' });
        if (!(await panel.isVisible())) await new Shell(this.page).payer.click({ timeout: 5000 });
        await panel.getByRole('button', { name: /^(Connect wallet|Manage wallets)$/ }).click({ timeout: 5000 });
      }
      await expect(this.dialog).toBeVisible({ timeout: 10_000 });
    }).toPass();
  }

  /** Connects a wallet from a control that needs one. The list then closes by itself, and the page continues. */
  async connectFor(control: Locator, family: 'ethereum' | 'solana', name: string): Promise<void> {
    await expect(async () => {
      if (!(await this.dialog.isVisible())) await control.click({ timeout: 5000 });
      await expect(this.dialog).toBeVisible({ timeout: 10_000 });
    }).toPass();
    await this[family].getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(this.dialog).toBeHidden();
  }

  async connect(family: 'ethereum' | 'solana', name: string): Promise<void> {
    await this[family].getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(this[family].getByRole('button', { name: 'Disconnect' })).toBeVisible();
  }

  /** Connects a new wallet and funds it from the faucet. */
  async connectFunded(family: Parameters<Wallets['connect']>[0], name: string): Promise<void> {
    await this.openDialog();
    await this.connect(family, name);
    await this.fund();
    await this.close();
  }

  async fund(): Promise<void> {
    await this.dialog.getByRole('button', { name: /^Fund/ }).click();
    await expect(this.dialog.getByText(/^Received/)).toBeVisible();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.dialog).toBeHidden();
  }

  /** Presses a button in the demo wallet's sheet. */
  async answer(button: 'Sign' | 'Send' | 'Refuse'): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  async typeAmount(pool: Locator, amount: string): Promise<void> {
    await pool.getByLabel(/^Amount of/).fill(amount);
    await pool.getByRole('button', { name: /^Stake T/i }).click();
  }

  /** Returns the value under a name on a pool's card: `Staked`, `In the wallet`. */
  fact(pool: Locator, name: string): Locator {
    return pool
      .locator('dl > div')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .locator('dd');
  }

  async newKey(): Promise<string> {
    return (await this.mint.getByLabel('The new key', { exact: true }).innerText()).trim();
  }
}
