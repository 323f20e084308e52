// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

/// @title Holds a token on behalf of whoever stakes it, and gives it back after a cooldown.
/// @notice Approve the token, then `stake`. To leave, `initiateUnstake`, wait for the cooldown, then `unstake`. What
/// waits for its cooldown is no longer staked: neither `balanceOf` nor `totalStaked` counts it. With a cooldown longer
/// than an epoch of the gateway, the same tokens cannot give two wallets an allocation in one epoch.
/// @dev The token must move exactly the amount it is told: one that takes a fee or changes balances by itself would
/// leave the contract short. There is no owner, no pause and no upgrade.
contract Staking is ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice What a wallet has asked back, in base units, and when it may take it, in Unix seconds.
    struct Unstaking {
        uint256 amount;
        uint256 availableAt;
    }

    /// @notice The token that is staked.
    IERC20 public immutable token;

    /// @notice Seconds between asking for tokens and taking them.
    uint256 public immutable cooldown;

    /// @notice Staked base units of a wallet.
    mapping(address wallet => uint256 amount) public balanceOf;

    /// @notice Staked base units of all wallets together.
    uint256 public totalStaked;

    /// @notice What a wallet is getting back. Zero and zero if nothing.
    mapping(address wallet => Unstaking) public unstaking;

    event Staked(address indexed wallet, uint256 amount);
    event UnstakeInitiated(address indexed wallet, uint256 amount, uint256 availableAt);
    event Unstaked(address indexed wallet, uint256 amount);

    /// @notice An amount of zero changes nothing and is refused.
    error ZeroAmount();
    /// @notice More was asked back than is staked.
    error StakeTooSmall(uint256 staked, uint256 asked);
    /// @notice There is nothing to take: `initiateUnstake` comes first.
    error NothingUnstaking();
    /// @notice The cooldown has not passed yet.
    error CoolingDown(uint256 availableAt);

    constructor(IERC20 token_, uint256 cooldown_) {
        token = token_;
        cooldown = cooldown_;
    }

    /// @notice Stakes `amount` base units of the caller's, who must have approved this contract for them.
    function stake(uint256 amount) external nonReentrant {
        if (amount == 0) revert ZeroAmount();
        balanceOf[msg.sender] += amount;
        totalStaked += amount;
        emit Staked(msg.sender, amount);
        token.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @notice Takes `amount` out of the caller's stake and starts its cooldown. Asking again before the first was
    /// taken adds to it, and the cooldown of the whole begins anew.
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

    /// @notice Sends the caller what it asked back, once the cooldown has passed.
    function unstake() external nonReentrant {
        Unstaking memory waiting = unstaking[msg.sender];
        if (waiting.amount == 0) revert NothingUnstaking();
        if (block.timestamp < waiting.availableAt) revert CoolingDown(waiting.availableAt);
        delete unstaking[msg.sender];
        emit Unstaked(msg.sender, waiting.amount);
        token.safeTransfer(msg.sender, waiting.amount);
    }
}
