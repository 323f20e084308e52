// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {SmartWallet} from "./SmartWallet.sol";

/// @title Deploys smart wallets at addresses that are known beforehand (CREATE2).
/// @notice A wallet can receive and sign before it is deployed: ERC-6492 wraps its signature with the `createWallet`
/// call that deploys it.
contract SmartWalletFactory {
    event WalletCreated(address indexed wallet, address indexed owner, bytes32 salt);

    /// @notice Deploys the wallet of `owner` and `salt`. Does nothing if the wallet exists.
    /// @return wallet its address
    function createWallet(address owner, bytes32 salt) external returns (address wallet) {
        wallet = addressOf(owner, salt);
        if (wallet.code.length > 0) return wallet;
        new SmartWallet{salt: salt}(owner);
        emit WalletCreated(wallet, owner, salt);
    }

    /// @notice Returns the address of the wallet of `owner` and `salt`, deployed or not.
    function addressOf(address owner, bytes32 salt) public view returns (address) {
        return Create2.computeAddress(salt, keccak256(abi.encodePacked(type(SmartWallet).creationCode, abi.encode(owner))));
    }
}
