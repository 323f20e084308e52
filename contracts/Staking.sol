// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @title Holds staked tokens and returns them after a cooldown.
/// @notice Approve the token, then `stake`. To leave, `initiateUnstake`, wait for the cooldown, then `unstake`. Tokens
/// in cooldown are not staked: neither `balanceOf` nor `totalStaked` counts them. With a cooldown longer than a gateway
/// epoch, the same tokens cannot give two wallets an allocation in one epoch.
/// @dev The token must move exactly the given amount. A token with fees or rebasing would leave the contract short.
/// There is no owner, no pause and no upgrade.
contract Staking is ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice Base units in cooldown, and the time in Unix seconds from which the wallet may take them.
    struct Unstaking {
        uint256 amount;
        uint256 availableAt;
    }

    /// @notice The token that is staked.
    IERC20 public immutable token;

    /// @notice Seconds between `initiateUnstake` and `unstake`.
    uint256 public immutable cooldown;

    /// @notice Staked base units of a wallet.
    mapping(address wallet => uint256 amount) public balanceOf;

    /// @notice Staked base units of all wallets together.
    uint256 public totalStaked;

    /// @notice A wallet's tokens in cooldown. Both fields are zero if there are none.
    mapping(address wallet => Unstaking) public unstaking;

    event Staked(address indexed wallet, uint256 amount);
    event UnstakeInitiated(address indexed wallet, uint256 amount, uint256 availableAt);
    event Unstaked(address indexed wallet, uint256 amount);

    /// @notice The amount is zero.
    error ZeroAmount();
    /// @notice The amount is larger than the stake.
    error StakeTooSmall(uint256 staked, uint256 asked);
    /// @notice No tokens are in cooldown: call `initiateUnstake` first.
    error NothingUnstaking();
    /// @notice The cooldown is still running.
    error CoolingDown(uint256 availableAt);

    constructor(IERC20 token_, uint256 cooldown_) {
        token = token_;
        cooldown = cooldown_;
    }

    /// @notice Stakes `amount` base units of the caller, who must have approved this contract.
    function stake(uint256 amount) external nonReentrant {
        if (amount == 0) revert ZeroAmount();
        balanceOf[msg.sender] += amount;
        totalStaked += amount;
        emit Staked(msg.sender, amount);
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @notice Takes `amount` out of the caller's stake and starts its cooldown. A second call before `unstake` adds to
    /// the amount and restarts the cooldown of all of it.
    function initiateUnstake(uint256 amount) external {
        if (amount == 0) revert ZeroAmount();
        uint256 staked = balanceOf[msg.sender];
        if (amount > staked) revert StakeTooSmall(staked, amount);
        balanceOf[msg.sender] = staked - amount;
        totalStaked -= amount;
        uint256 availableAt = block.timestamp + cooldown;
        Unstaking storage waiting = unstaking[msg.sender];
        waiting.amount += amount;
        waiting.availableAt = availableAt;
        emit UnstakeInitiated(msg.sender, amount, availableAt);
    }

    /// @notice Sends the caller its tokens after the cooldown.
    function unstake() external nonReentrant {
        Unstaking memory waiting = unstaking[msg.sender];
        if (waiting.amount == 0) revert NothingUnstaking();
        if (block.timestamp < waiting.availableAt) revert CoolingDown(waiting.availableAt);
        delete unstaking[msg.sender];
        emit Unstaked(msg.sender, waiting.amount);
        token.safeTransfer(msg.sender, waiting.amount);
    }
}
