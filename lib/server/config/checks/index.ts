import type { Findings } from '../faults';
import { checkVariables } from '../variables';
import { checkAgreements } from './agreement';
import { checkBounds } from './bounds';
import { checkPlaces } from './places';
import { checkPrices } from './prices';
import { checkRails, checkStakingNetworks } from './rails';
import { checkNetworks, checkUpstreams } from './upstreams';
import type { SettingsView } from './view';

/** Checks fields and variables against each other. Runs all checks, so that one mistake does not hide another. */
export function checkTogether(view: SettingsView, findings: Findings): void {
  checkVariables(view.env, view.settings, findings);
  checkNetworks(view, findings);
  checkAgreements(view, findings);
  checkUpstreams(view, findings);
  checkRails(view, findings);
  checkStakingNetworks(view, findings.faults);
  checkPrices(view, findings.faults);
  checkBounds(view, findings);
  checkPlaces(view, findings);
}
