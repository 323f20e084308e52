export const STANDARD_ABIS: Readonly<Record<string, string>> = {
  'ERC-20': `function name() view returns (string)
function symbol() view returns (string)
function decimals() view returns (uint8)
function totalSupply() view returns (uint256)
function balanceOf(address owner) view returns (uint256)
function allowance(address owner, address spender) view returns (uint256)
function transfer(address to, uint256 amount) returns (bool)`,
  'ERC-721': `function name() view returns (string)
function symbol() view returns (string)
function ownerOf(uint256 tokenId) view returns (address)
function balanceOf(address owner) view returns (uint256)
function tokenURI(uint256 tokenId) view returns (string)
function getApproved(uint256 tokenId) view returns (address)
function isApprovedForAll(address owner, address operator) view returns (bool)`,
  'ERC-4626': `function asset() view returns (address)
function totalAssets() view returns (uint256)
function convertToAssets(uint256 shares) view returns (uint256)
function convertToShares(uint256 assets) view returns (uint256)
function maxWithdraw(address owner) view returns (uint256)
function balanceOf(address owner) view returns (uint256)`,
};
