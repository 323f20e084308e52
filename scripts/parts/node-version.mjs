// Every command imports this file first. The command's own code waits for it, and does not run if another Node version
// takes over. Tests do not import it.
import { handOver } from './pinned-node.mjs';
import { isSupportedNode } from './supported-node.mjs';

const asked = process.env.TURNPIKE_NODE;
if (asked ? asked !== process.versions.node : !isSupportedNode(process.versions.node)) await handOver(asked);
