import { expect, type Page } from '@playwright/test';
import type { ChatPage } from './chat-page';

/** Expects a model to answer a request that has a schema with a document that fits it. */
export async function expectFittingDocument(chat: ChatPage, page: Page, model: string): Promise<void> {
  await chat.open(model);
  await chat.show('Setup');
  await page.getByRole('button', { name: 'Add a schema' }).click();
  await expect(page.getByText('A strict schema: the gateway accepts it.')).toBeVisible();
  const answer = await chat.ask('How do I top up with USDC?');
  await expect(answer).toContainText('Fits the schema, as checked in this browser');
  await expect(answer).toContainText('summary:');
  expect(JSON.parse(chat.sentBodies.at(-1) ?? '')).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { strict: true } },
  });
}
