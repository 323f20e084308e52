import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** That nothing on the page is a serious or critical fault of accessibility (axe). */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
