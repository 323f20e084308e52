// Every command imports this file first. If another Node version takes over, the command's own code does not run in
// this process. Tests do not import this file.
import { handOver } from './pinned-node.mjs';
import { isSupportedNode } from './supported-node.mjs';

const asked = process.env.TURNPIKE_NODE;
if (asked ? asked !== process.versions.node : !isSupportedNode(process.versions.node)) await handOver(asked);
