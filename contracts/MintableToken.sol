// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title An ERC-20 token of 18 decimals that one account may mint.
/// @notice The sandbox deploys it twice: as the stake token and as the daily-credit token. The minter is the sandbox's
/// faucet and never changes. There is no owner, no pause and no upgrade.
contract MintableToken is ERC20 {
    /// @notice The only account that may mint.
    address public immutable minter;

    /// @notice Only the minter may mint.
    error NotMinter(address caller);

    constructor(string memory name_, string memory symbol_, address minter_) ERC20(name_, symbol_) {
        minter = minter_;
    }

    /// @notice Creates `amount` base units for `to`.
    function mint(address to, uint256 amount) external {
        if (msg.sender != minter) revert NotMinter(msg.sender);
        _mint(to, amount);
    }
}
