// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {MintableToken} from "./MintableToken.sol";

/// @title The sandbox's stand-in for USDC: 6 decimals, EIP-712 domain "USD Coin" version "2", EIP-3009 transfers.
/// @notice A token holder signs an authorization, and anybody may submit it. An authorization pays for one transfer,
/// which uses up its nonce (32 bytes that the signer chooses). The signer is an ordinary key (EIP-712, ECDSA with a
/// low s) or a contract that approves the signature (EIP-1271).
contract AuthorizableUsd is MintableToken, EIP712 {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// @notice True if an authorizer's nonce is used or cancelled (EIP-3009).
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice The authorizer did not sign exactly this authorization.
    error InvalidSignature();
    /// @notice The block's time is not after `validAfter`.
    error AuthorizationNotYetValid(uint256 validAfter);
    /// @notice The block's time is not before `validBefore`.
    error AuthorizationExpired(uint256 validBefore);
    /// @notice The nonce is already used or cancelled.
    error AuthorizationUsedOrCanceled(address authorizer, bytes32 nonce);
    /// @notice Only the payee may submit a ReceiveWithAuthorization.
    error CallerIsNotPayee(address payee, address caller);

    constructor(address minter_) MintableToken("USD Coin", "USDC", minter_) EIP712("USD Coin", "2") {}

    /// @notice Six: one USD is 1,000,000 base units.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice The version in the EIP-712 domain.
    function version() external view returns (string memory) {
        return _EIP712Version();
    }

    /// @notice The EIP-712 domain separator on this chain.
    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @notice Moves `value` from `from` to `to`. `v`, `r` and `s` are the signature of `from`.
    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Moves `value` from `from` to `to`. `signature` is made by the key of `from`, or accepted by `from` as a
    /// contract (EIP-1271).
    /// @param validAfter the authorization is valid after this time, in Unix seconds
    /// @param validBefore the authorization is valid before this time, in Unix seconds
    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) public {
        _useAuthorization(
            TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce, signature
        );
    }

    /// @notice Like `transferWithAuthorization`, but only `to` may submit the authorization. Nobody else can be first.
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Like `transferWithAuthorization`, but only `to` may submit the authorization. Nobody else can be first.
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes memory signature
    ) public {
        if (to != msg.sender) revert CallerIsNotPayee(to, msg.sender);
        _useAuthorization(
            RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce, signature
        );
    }

    /// @notice Cancels an unused authorization. `authorizer` must have signed the cancellation.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Cancels an unused authorization. `authorizer` must have signed the cancellation.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        _requireUnused(authorizer, nonce);
        _requireSigned(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _useAuthorization(
        bytes32 typeHash, address from, address to, uint256 value, uint256 validAfter, uint256 validBefore,
        bytes32 nonce, bytes memory signature
    ) private {
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid(validAfter);
        if (block.timestamp >= validBefore) revert AuthorizationExpired(validBefore);
        _requireUnused(from, nonce);
        bytes32 structHash = keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce));
        _requireSigned(from, structHash, signature);
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _transfer(from, to, value);
    }

    function _requireUnused(address authorizer, bytes32 nonce) private view {
        if (authorizationState[authorizer][nonce]) revert AuthorizationUsedOrCanceled(authorizer, nonce);
    }

    function _requireSigned(address signer, bytes32 structHash, bytes memory signature) private view {
        bytes32 digest = _hashTypedDataV4(structHash);
        if (!SignatureChecker.isValidSignatureNow(signer, digest, signature)) revert InvalidSignature();
    }
}
