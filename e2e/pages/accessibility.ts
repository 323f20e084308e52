import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The rules whose outcome depends on colours; all others come out alike in either theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Rules whose faults are never serious. Axe gives each rule's faults the impact of the rule. */
const NEVER_SERIOUS = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'html-xml-lang-mismatch',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport',
  'meta-viewport-large',
  'no-autoplay-audio',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'server-side-image-map',
  'skip-link',
  'table-duplicate-name',
];

/** Expects no serious or critical accessibility fault (axe) on the page in its theme. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousViolations(page, (await axeOf(page)).disableRules(NEVER_SERIOUS))).toEqual([]);
}

/** Expects the same in the light and the dark theme: every rule in the light one, the color rules in the dark one. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousViolations(page, (await axeOf(page)).withRules(OF_COLOURS)), 'in the dark theme').toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Expects no fault of axe at all, of any impact. */
export async function expectFaultless(page: Page): Promise<void> {
  expect((await (await axeOf(page)).analyze()).violations).toEqual([]);
}

/** What stands for axe's own code where it is in the page already: to read it takes as long as a check of a small page. */
const IS_THERE = '/* axe is there */';

/** Runs axe in the page itself: there are no frames, for which axe would merge its findings in another page. */
async function axeOf(page: Page): Promise<AxeBuilder> {
  await settled(page);
  const isThere = await page.evaluate(() => 'axe' in window);
  return new AxeBuilder({ page, ...(isThere && { axeSource: IS_THERE }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
}

async function seriousViolations(page: Page, axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  expect(page.frames(), 'Frames are not looked into.').toHaveLength(1);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Waits until nothing fades in and no colour is on its way any more: axe would measure the contrast of half of it. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // What scripts make of the theme is there in the second frame from now at the latest.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const passing = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    // Those of what is not drawn may never end.
    const inTime = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([Promise.allSettled(passing.map(({ finished }) => finished)), inTime]);
  });
}
