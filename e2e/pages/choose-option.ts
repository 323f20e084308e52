import { expect, type Locator } from '@playwright/test';

/** Chooses an option of the console's custom select field. */
export async function chooseOption(field: Locator, option: string): Promise<void> {
  await field.click();
  await field.page().getByRole('listbox').getByRole('option', { name: option, exact: true }).click();
  await expect(field).toHaveText(option);
}
