import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules that depend on colors. All others have the same result in both themes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Rules whose faults are never serious. In axe, all faults of a rule have the same impact. */
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

/** Expects no serious or critical axe fault in the current theme. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousViolations(page, (await axeOf(page)).disableRules(NEVER_SERIOUS))).toEqual([]);
}

/**
 * Expects no serious fault in either theme. Checks all rules in the light theme, and only the color rules in the dark
 * one.
 */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await seriousViolations(page, (await axeOf(page)).withRules(OF_COLOURS)), 'in the dark theme').toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Expects no axe fault of any impact. */
export async function expectFaultless(page: Page): Promise<void> {
  expect((await (await axeOf(page)).analyze()).violations).toEqual([]);
}

/** Replaces axe's code if the page already has it, because parsing it takes as long as checking a small page. */
const IS_THERE = '/* axe is there */';

/**
 * Runs axe in the page itself. axe would otherwise merge the results of frames in another page, but there are no
 * frames.
 */
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

/** Waits until all transitions have ended. During them, axe would measure wrong contrasts. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Scripts apply the theme within two frames.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const passing = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    // Transitions of hidden elements may never end.
    const inTime = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([Promise.allSettled(passing.map(({ finished }) => finished)), inTime]);
  });
}
