import { recordings } from '@/lib/protocol/attestation/testing/recordings';
import { recordedOutcome } from '@/test/recorded-in-page/recorded-outcome';
import { openVerifyingPage, outcomeInPage, recordedProgram } from '@/test/recorded-in-page/recorded-page';
import { expect, test } from './console-test';

/** Recorded answers of real providers must give the same verdicts, reasons and checks in a browser as in Node. */

for (const [name, recording] of recordings()) {
  test(`the recording ${name} comes to the same here as in Node, with pins and without`, async ({ page }) => {
    await openVerifyingPage(page, await recordedProgram());
    const [here, inNode] = [await outcomeInPage(page, recording), await recordedOutcome(recording)];
    expect(here).toEqual(inNode);
    expect(here.enclaves.length).toBeGreaterThan(0);
  });
}
